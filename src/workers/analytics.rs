//! Reports of metrics to Analytics Engine, where a dataset is bound as `METRICS`.

use crate::metrics::Report;
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::*;

/// How many points one invocation may write.
const MOST_POINTS: usize = 25;

#[wasm_bindgen]
extern "C" {
    /// The binding to the dataset.
    pub type Dataset;

    #[wasm_bindgen(method, catch, js_name = writeDataPoint)]
    fn write_data_point(this: &Dataset, point: &Object) -> Result<(), JsValue>;
}

/// Writes each value as a point: the name as index and first blob, the value as first double. The line in
/// the log holds all of them; what the dataset does not take is only there.
pub(super) fn write(dataset: &Dataset, report: &Report) {
    for (metric, value) in report.values().take(MOST_POINTS) {
        if let Ok(point) = point(&metric.name(), value) {
            drop(dataset.write_data_point(&point));
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts and milliseconds are below 2^53")]
fn point(name: &str, value: u64) -> Result<Object, JsValue> {
    let (name, point) = (JsValue::from_str(name), Object::new());
    Reflect::set(&point, &JsValue::from_str("indexes"), &Array::of1(&name))?;
    Reflect::set(&point, &JsValue::from_str("blobs"), &Array::of1(&name))?;
    Reflect::set(&point, &JsValue::from_str("doubles"), &Array::of1(&JsValue::from_f64(value as f64)))?;
    Ok(point)
}
