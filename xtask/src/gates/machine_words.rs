//! The project builds anywhere: no file names a directory of one machine or the host of a package
//! registry, which a build elsewhere may replace by a mirror.

use super::tracked;
use crate::failure::Failure;

/// Spelled in two halves, for this file is looked through as well.
const DIRECTORIES: [&str; 2] = [concat!("/wo", "rk/"), concat!("/ro", "ot/")];
const HOSTS: [&str; 6] = [
    concat!("registry.npm", "js.org"),
    concat!("registry.yarn", "pkg.com"),
    concat!("index.crates", ".io"),
    concat!("static.crates", ".io"),
    concat!("pypi", ".org"),
    concat!("files.python", "hosted.org"),
];

pub(super) fn check() -> Result<(), Failure> {
    tracked::for_each_text(|path, text| match text.lines().position(is_bound_to_a_machine) {
        None => Ok(()),
        Some(index) => {
            Err(Failure::new(format!("{path}:{} names a machine's directory or a registry's host", index + 1)))
        }
    })
}

fn is_bound_to_a_machine(line: &str) -> bool {
    HOSTS.iter().any(|host| line.contains(host)) || DIRECTORIES.iter().any(|directory| begins_a_path(line, directory))
}

/// Whether the text stands where an absolute path begins, not within a longer path or a URL.
fn begins_a_path(line: &str, directory: &str) -> bool {
    line.match_indices(directory).any(|(index, _)| {
        let before = line.get(..index).and_then(|text| text.chars().next_back());
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '}' | '/'))
    })
}

#[cfg(test)]
mod tests {
    use super::is_bound_to_a_machine;

    #[test]
    fn absolute_paths_of_a_machine_are_found_and_other_paths_are_not() {
        assert!(is_bound_to_a_machine(concat!("path = \"/wo", "rk/main\"")));
        assert!(is_bound_to_a_machine(concat!("/ro", "ot/.cargo")));
        assert!(!is_bound_to_a_machine(concat!("https://a.example/wo", "rk/x")));
        assert!(!is_bound_to_a_machine("src/edge.rs"));
    }
}
