//! The little HTML that reports are made of.

const STYLE: &str = include_str!("style.css");

/// Text that is safe between tags and in attributes.
pub fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut safe, character| {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
        safe
    })
}

/// A page that needs nothing from elsewhere, and may not ask for it.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}<footer>Written by breccia {version}.</footer>\n</main>\n</body>\n</html>\n",
        title = escape(title),
        version = env!("CARGO_PKG_VERSION"),
    )
}

/// A part with a heading; nothing where there is nothing to say.
pub fn section(heading: &str, body: &str) -> String {
    if body.is_empty() {
        return String::new();
    }
    format!("<section>\n<h2>{}</h2>\n{body}</section>\n", escape(heading))
}

/// Names beside values.
pub fn facts(rows: &[(String, String)]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let row = |(name, value): &(String, String)| {
        format!("<tr><th>{}</th><td>{}</td></tr>\n", escape(name), escape(value))
    };
    format!("<table class=\"facts\">\n{}</table>\n", rows.iter().map(row).collect::<String>())
}

/// A picture with a caption.
pub fn picture(png: &[u8], caption: &str) -> String {
    figure(
        &format!("<img alt=\"{}\" src=\"data:image/png;base64,{}\">", escape(caption), base64(png)),
        caption,
    )
}

/// A drawing from a file, which is not trusted: as an image it can run nothing.
pub fn drawing(svg: &str, caption: &str) -> String {
    let source = base64(svg.as_bytes());
    figure(&format!("<img alt=\"{}\" src=\"data:image/svg+xml;base64,{source}\">", escape(caption)), caption)
}

/// A drawing made here, in the page itself.
pub fn own_drawing(svg: &str) -> String {
    figure(svg, "")
}

fn figure(inside: &str, caption: &str) -> String {
    let words = if caption.is_empty() {
        String::new()
    } else {
        format!("<figcaption>{}</figcaption>", escape(caption))
    };
    format!("<figure>{inside}{words}</figure>\n")
}

/// Bytes as text (RFC 4648).
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let word =
            group.iter().enumerate().fold(0u32, |word, (i, &byte)| word | u32::from(byte) << (16 - 8 * i));
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= group.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_as_the_standard_has_it() {
        let pairs = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (plain, coded) in pairs {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
        assert_eq!(base64(&[0xff, 0xfe, 0xfd]), "//79");
    }

    #[test]
    fn words_of_a_scene_stay_words() {
        let page = page("<script>", &facts(&[("a & b".into(), "\"<img>\"".into())]));
        assert!(!page.contains("<script>") && !page.contains("<img>"));
        assert!(page.contains("a &amp; b") && page.contains("&quot;&lt;img&gt;&quot;"));
    }
}
