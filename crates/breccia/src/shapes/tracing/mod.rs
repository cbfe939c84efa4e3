//! Outlines of grains from pictures: threshold, contours, smooth closed curves through them, measures of their form.

mod circles;
mod contour;
mod fit;
mod grains;
mod measure;
mod picture;
mod spline;
mod threshold;

pub use circles::{Circle, largest_inscribed, smallest_enclosing};
pub use contour::{Contour, contours};
pub use fit::{Fit, FitError, fit_closed};
pub use grains::{TracedGrain, Tracing, TracingOptions, Untraced, trace_grains};
pub use measure::{FormMeasures, PowersClass};
pub use picture::{GreyPicture, PictureError};
pub use threshold::{Brightness, Threshold, otsu};
