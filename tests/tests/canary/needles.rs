//! The search: each canary raw, in base64 at each of the three offsets, and in hex, in every byte of
//! every file.

use base64::{
    Engine, alphabet,
    engine::{GeneralPurpose, general_purpose::NO_PAD},
};
use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

/// A text that must not be found.
pub(crate) struct Needle {
    word: String,
    what: String,
    is_personal: bool,
}

/// Where one was found, in which form.
pub(crate) struct Finding {
    pub(crate) file: PathBuf,
    pub(crate) is_personal: bool,
    what: String,
    form: &'static str,
    context: String,
}

impl Needle {
    pub(crate) fn secret(what: &str, word: &str) -> Self {
        Self { word: word.to_owned(), what: what.to_owned(), is_personal: false }
    }

    pub(crate) fn personal(word: &str) -> Self {
        Self { word: word.to_owned(), what: format!("personal datum {word:?}"), is_personal: true }
    }

    fn forms(&self) -> Vec<(&'static str, Vec<u8>)> {
        let raw = self.word.as_bytes();
        let hex = |upper: bool| -> String {
            raw.iter().map(|byte| if upper { format!("{byte:02X}") } else { format!("{byte:02x}") }).collect()
        };
        let mut forms = vec![("raw", raw.to_vec()), ("hex", hex(false).into_bytes()), ("HEX", hex(true).into_bytes())];
        let utf_16 = self.word.encode_utf16().flat_map(u16::to_le_bytes).collect();
        forms.push(("UTF-16", utf_16));
        for (name, alphabet) in [("base64", &alphabet::STANDARD), ("base64url", &alphabet::URL_SAFE)] {
            let engine = GeneralPurpose::new(alphabet, NO_PAD);
            forms.extend((0..3).map(|offset| (name, at_offset(&engine, raw, offset))));
        }
        forms
    }
}

/// The characters that do not depend on what stands before or after.
fn at_offset(engine: &GeneralPurpose, raw: &[u8], offset: usize) -> Vec<u8> {
    let padded = [&vec![0; offset][..], raw].concat();
    let text = engine.encode(&padded);
    let first = (offset * 8).div_ceil(6);
    let last = padded.len() * 8 / 6;
    text.as_bytes()[first..last].to_vec()
}

/// Everything that is found in these files and in all files under these directories.
pub(crate) fn search(roots: &[PathBuf], needles: &[Needle]) -> Vec<Finding> {
    let forms: Vec<_> = needles.iter().map(|needle| (needle, needle.forms())).collect();
    let files: Vec<PathBuf> = roots.iter().flat_map(|root| files(root)).collect();
    assert!(files.len() > 10, "there is hardly anything to search");
    files
        .iter()
        .flat_map(|file| {
            let bytes = fs::read(file).unwrap();
            forms.iter().filter_map(move |(needle, forms)| found_in(file, &bytes, needle, forms)).collect::<Vec<_>>()
        })
        .collect()
}

fn found_in(file: &Path, bytes: &[u8], needle: &Needle, forms: &[(&'static str, Vec<u8>)]) -> Option<Finding> {
    let hit = forms.iter().find_map(|(form, pattern)| position(bytes, pattern).map(|at| (*form, at)));
    hit.map(|(form, at)| Finding {
        file: file.to_owned(),
        is_personal: needle.is_personal,
        what: needle.what.clone(),
        form,
        context: String::from_utf8_lossy(&bytes[at.saturating_sub(60)..(at + 60).min(bytes.len())]).into_owned(),
    })
}

fn position(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    memchr::memmem::find(bytes, pattern)
}

fn files(root: &Path) -> Vec<PathBuf> {
    if !root.is_dir() {
        return vec![root.to_owned()];
    }
    fs::read_dir(root).unwrap().flat_map(|entry| files(&entry.unwrap().path())).collect()
}

impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} as {} in {}: …{}…", self.what, self.form, self.file.display(), self.context.escape_debug())
    }
}

#[test]
fn a_word_is_found_in_every_form_at_every_offset() {
    let needle = Needle::personal("canary-word-0123456789");
    let engine = GeneralPurpose::new(&alphabet::URL_SAFE, NO_PAD);
    for before in ["", "a", "ab", "abc", "abcd"] {
        let text = format!("{before}canary-word-0123456789 and more");
        for hidden in [text.clone().into_bytes(), engine.encode(&text).into_bytes()] {
            assert!(found_in(Path::new("x"), &hidden, &needle, &needle.forms()).is_some(), "{before}");
        }
    }
    assert!(found_in(Path::new("x"), b"canary-word", &needle, &needle.forms()).is_none());
}
