//! Every test that the README's table of cases names exists.

use super::tracked;
use crate::failure::Failure;
use std::collections::BTreeSet;

const HEADING: &str = "## Cases from the field";

pub(super) fn check() -> Result<(), Failure> {
    let mut tests = BTreeSet::new();
    let mut named = BTreeSet::new();
    tracked::for_each_text(|path, text| {
        if path == "README.md" {
            named.extend(tests_named_in(text));
        } else if path.strip_suffix(".rs").is_some() {
            tests.extend(tests_in(text));
        }
        Ok(())
    })?;
    if named.is_empty() {
        return Err(Failure::new(format!("README.md names no test under {HEADING:?}")));
    }
    match named.difference(&tests).next() {
        None => Ok(()),
        Some(missing) => Err(Failure::new(format!("README.md names the test {missing}, which does not exist"))),
    }
}

fn tests_named_in(readme: &str) -> BTreeSet<String> {
    let table = readme.lines().skip_while(|line| *line != HEADING).skip(1).take_while(|line| !line.starts_with("## "));
    let rows = table.filter(|line| line.starts_with("| "));
    rows.flat_map(|row| row.split('`').skip(1).step_by(2))
        .filter(|name| name.contains('_'))
        .map(str::to_owned)
        .collect()
}

/// Names of functions right below a `#[test]`.
fn tests_in(source: &str) -> BTreeSet<String> {
    let mut lines = source.lines().map(str::trim);
    let mut found = BTreeSet::new();
    while lines.any(|line| line == "#[test]") {
        let declared = lines.find_map(|line| line.strip_prefix("fn "));
        found.extend(declared.and_then(|rest| rest.split('(').next()).map(str::to_owned));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{tests_in, tests_named_in};

    #[test]
    fn tests_are_found_in_sources_and_in_the_table_alone() {
        let source = "#[test]\n#[allow(x)]\nfn it_holds() {\n}\nfn helper_of_it() {}\n";
        assert_eq!(tests_in(source).into_iter().collect::<Vec<_>>(), ["it_holds"]);
        let readme = "`not_here`\n## Cases from the field\n| X1 | `it_holds` `it_too` |\n## Next\n| `nor_here` |\n";
        assert_eq!(tests_named_in(readme).into_iter().collect::<Vec<_>>(), ["it_holds", "it_too"]);
    }
}
