//! The table, with each scenario beside its floor, and the same as JSON.

use super::{Options, Row};
use crate::{Failure, load::Figures};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// What is compared with what, and how far above it is aimed at.
const FLOORS: [(&str, &str, Option<f64>); 6] = [
    ("userinfo ES256", "floor: verify ES256 + KV read + JSON", Some(1.5)),
    ("userinfo RS256", "floor: verify RS256 + KV read + JSON", Some(1.5)),
    ("exchange ES256", "floor: verify + object insert + sign ES256", Some(1.6)),
    ("exchange RS256", "floor: verify + object insert + sign RS256", Some(1.6)),
    ("introspect ES256", "floor: object read", None),
    ("introspect RS256", "floor: object read", None),
];

/// A scenario above its floor, in times.
struct Ratio {
    cpu: f64,
    rate: f64,
    aim: Option<f64>,
}

pub(super) fn print(rows: &[Row], options: &Options) {
    println!(
        "{} rounds of {} requests each over {} connections, in turns; medians",
        options.rounds, options.requests, options.connections
    );
    println!("{:<44} {:>10} {:>8} {:>8} {:>8}  aim", "", "requests/s", "CPU-ms", "CPU ÷", "time ÷");
    for row in rows {
        let figures = row.median();
        let (cpu, rate, aim) = ratio(rows, row).map_or_else(Default::default, |ratio| {
            let aim = ratio.aim.map(|aim| format!("≤ {aim}")).unwrap_or_default();
            (format!("{:.2}", ratio.cpu), format!("{:.2}", ratio.rate), aim)
        });
        println!("{:<44} {:>10.0} {:>8.3} {cpu:>8} {rate:>8}  {aim}", row.name, figures.rate, figures.cpu);
        if figures.lost > 0 {
            println!("  connections that the server closed instead of answering: {}", figures.lost);
        }
    }
}

pub(super) fn write(rows: &[Row], options: &Options, file: &Path) -> Result<(), Failure> {
    let told = |figures: &Figures| json!({ "requests_per_second": figures.rate, "cpu_ms": figures.cpu, "lost_connections": figures.lost });
    let scenarios: Vec<Value> = rows
        .iter()
        .map(|row| {
            let ratio = ratio(rows, row);
            let ratio = ratio.map(|ratio| json!({ "cpu": ratio.cpu, "time": ratio.rate, "aim": ratio.aim }));
            let rounds: Vec<Value> = row.rounds.iter().map(told).collect();
            json!({ "name": row.name, "median": told(&row.median()), "rounds": rounds, "ratio_to_floor": ratio })
        })
        .collect();
    let report = json!({
        "requests": options.requests, "warm_up": options.warm_up, "connections": options.connections,
        "rounds": options.rounds, "scenarios": scenarios,
    });
    Ok(fs::write(file, format!("{report:#}\n"))?)
}

fn ratio(rows: &[Row], row: &Row) -> Option<Ratio> {
    let (_, floor, aim) = FLOORS.iter().find(|(name, _, _)| *name == row.name)?;
    let floor = rows.iter().find(|row| row.name == *floor)?.median();
    let figures = row.median();
    Some(Ratio { cpu: figures.cpu / floor.cpu, rate: floor.rate / figures.rate, aim: *aim })
}

impl Row {
    fn median(&self) -> Figures {
        let of = |figure: fn(&Figures) -> f64| {
            let mut figures: Vec<f64> = self.rounds.iter().map(figure).collect();
            figures.sort_by(f64::total_cmp);
            figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
        };
        let lost = self.rounds.iter().map(|figures| figures.lost).sum();
        Figures { rate: of(|figures| figures.rate), cpu: of(|figures| figures.cpu), lost }
    }
}
