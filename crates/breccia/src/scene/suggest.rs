//! The known word that was probably meant.

/// The candidate closest to `word`, if it is close enough to have been meant.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let allowed = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(&lower, candidate), candidate))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, _)| distance <= allowed)
        .map(|(_, candidate)| candidate)
}

/// Edits between two words; a word that merely continues the other counts little.
fn distance(word: &str, candidate: &str) -> usize {
    let candidate = candidate.to_lowercase();
    let edits = strsim::damerau_levenshtein(word, &candidate);
    let continues = word.len() >= 4 && (candidate.starts_with(word) || candidate.ends_with(word));
    if continues { edits.min(1) } else { edits }
}

/// `did you mean …?` for a near word, else the list of what is known.
pub(super) fn help<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(word, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => list("known here: ", known),
    }
}

/// `prefix` and the words in backquotes.
pub(super) fn list<'a>(prefix: &str, words: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    if quoted.is_empty() { format!("{prefix}none") } else { format!("{prefix}{}", quoted.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let keys = ["density", "young_modulus", "poisson_ratio"];
        assert_eq!(nearest("young_modulos", keys), Some("young_modulus"));
        assert_eq!(nearest("Density", keys), Some("density"));
        assert_eq!(nearest("young", keys), Some("young_modulus"));
        assert_eq!(nearest("colour", keys), None);
    }
}
