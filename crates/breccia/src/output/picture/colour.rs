//! Colours. Components are sRGB values from 0 to 1 outside the shader, and their squares inside (close to
//! linear light, and free of `pow`).

/// One colour for spheres without values.
pub(super) const PLAIN: [f64; 3] = [0.62, 0.66, 0.72];
/// Colour of values that are not numbers.
pub(super) const UNKNOWN: [f64; 3] = [0.75, 0.75, 0.75];

/// Every eighth colour of viridis (Smith and van der Walt, 2015, public domain).
const VIRIDIS: [[u8; 3]; 33] = [
    [68, 1, 84],
    [71, 13, 96],
    [72, 24, 106],
    [72, 35, 116],
    [71, 45, 123],
    [69, 55, 129],
    [66, 64, 134],
    [62, 73, 137],
    [59, 82, 139],
    [55, 91, 141],
    [51, 99, 141],
    [47, 107, 142],
    [44, 114, 142],
    [41, 122, 142],
    [38, 130, 142],
    [35, 137, 142],
    [33, 145, 140],
    [31, 152, 139],
    [31, 160, 136],
    [34, 167, 133],
    [40, 174, 128],
    [50, 182, 122],
    [63, 188, 115],
    [78, 195, 107],
    [94, 201, 98],
    [112, 207, 87],
    [132, 212, 75],
    [152, 216, 62],
    [173, 220, 48],
    [194, 223, 35],
    [216, 226, 25],
    [236, 229, 27],
    [253, 231, 37],
];

/// Colour of a value scaled to 0…1 (held at the ends): dark violet, teal, yellow; even steps look even.
pub fn viridis(value: f64) -> [f64; 3] {
    let position = value.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let low = (position as usize).min(VIRIDIS.len() - 2);
    let part = position - low as f64;
    let mix = |channel: usize| {
        let (a, b) = (f64::from(VIRIDIS[low][channel]), f64::from(VIRIDIS[low + 1][channel]));
        (a + part * (b - a)) / 255.0
    };
    [mix(0), mix(1), mix(2)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_passes_through_its_colours_and_holds_at_the_ends() {
        let bytes = |value: f64| viridis(value).map(|c| (255.0 * c).round() as u8);
        assert_eq!(bytes(0.0), [68, 1, 84]);
        assert_eq!(bytes(0.5), [33, 145, 140]);
        assert_eq!(bytes(-3.0), bytes(0.0));
        assert_eq!(bytes(7.0), [253, 231, 37]);
    }

    #[test]
    fn lightness_rises_all_along() {
        let luminance = |[r, g, b]: [f64; 3]| 0.2126 * r * r + 0.7152 * g * g + 0.0722 * b * b;
        let steps: Vec<f64> = (0..=100).map(|i| luminance(viridis(f64::from(i) / 100.0))).collect();
        assert!(steps.windows(2).all(|pair| pair[1] > pair[0]));
    }
}
