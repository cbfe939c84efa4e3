//! GMRES for the small system that couples bodies through their contacts.

/// Most vectors kept.
const MOST: usize = 400;

/// Solves A u = b to a relative tolerance, starting from nothing; `apply` gives A·v. With the number of products.
///
/// Sums run in a fixed order, so the result does not depend on threads.
pub fn gmres(b: &[f64], tolerance: f64, apply: impl Fn(&[f64]) -> Vec<f64>) -> (Vec<f64>, u32) {
    let size = norm(b);
    if size == 0.0 {
        return (vec![0.0; b.len()], 0);
    }
    let mut basis = vec![b.iter().map(|part| part / size).collect::<Vec<f64>>()];
    let mut hessenberg: Vec<Vec<f64>> = Vec::new();
    let mut turns: Vec<(f64, f64)> = Vec::new();
    let mut right_side = vec![size];
    while hessenberg.len() < MOST.min(b.len()) {
        let last = basis.len() - 1;
        let mut next = apply(&basis[last]);
        let mut column = Vec::with_capacity(last + 2);
        for vector in &basis {
            let along = dot(vector, &next);
            next.iter_mut().zip(vector).for_each(|(part, other)| *part -= along * other);
            column.push(along);
        }
        let left = norm(&next);
        column.push(left);
        for (k, &(cosine, sine)) in turns.iter().enumerate() {
            let (upper, lower) = (column[k], column[k + 1]);
            column[k] = cosine * upper + sine * lower;
            column[k + 1] = cosine * lower - sine * upper;
        }
        let radius = (column[last] * column[last] + left * left).sqrt();
        let (cosine, sine) = (column[last] / radius, left / radius);
        column[last] = radius;
        column.pop();
        turns.push((cosine, sine));
        hessenberg.push(column);
        let residual = right_side[last];
        right_side[last] = cosine * residual;
        right_side.push(-sine * residual);
        if right_side[last + 1].abs() <= tolerance * size || left == 0.0 {
            break;
        }
        basis.push(next.iter().map(|part| part / left).collect());
    }
    (combine(&basis, &hessenberg, &right_side), hessenberg.len() as u32)
}

/// Back substitution, and the sum of basis vectors it asks for.
fn combine(basis: &[Vec<f64>], hessenberg: &[Vec<f64>], right_side: &[f64]) -> Vec<f64> {
    let count = hessenberg.len();
    let mut shares = right_side[..count].to_vec();
    for k in (0..count).rev() {
        for later in k + 1..count {
            shares[k] -= hessenberg[later][k] * shares[later];
        }
        shares[k] /= hessenberg[k][k];
    }
    let mut solution = vec![0.0; basis[0].len()];
    for (vector, share) in basis.iter().zip(shares) {
        solution.iter_mut().zip(vector).for_each(|(part, other)| *part += share * other);
    }
    solution
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsymmetric_system_is_solved() {
        let rows = [[4.0, 1.0, 0.0], [-1.0, 3.0, 0.5], [0.2, 0.0, 2.0]];
        let expected = [1.0, -2.0, 3.0];
        let apply = |v: &[f64]| rows.iter().map(|row| dot(row, v)).collect::<Vec<_>>();
        let (solution, products) = gmres(&apply(&expected), 1e-12, apply);
        assert!(solution.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{solution:?}");
        assert_eq!(products, 3);
        assert_eq!(gmres(&[0.0, 0.0], 1e-9, |v| v.to_vec()), (vec![0.0, 0.0], 0));
    }
}
