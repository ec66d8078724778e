//! As much of reading HTML as the tests need: all text is escaped, so a `<` begins a tag and nothing else.

/// A tag as it stands between its brackets: `h1`, `/h1`, `input id="a"`.
pub(super) struct Tag<'a> {
    /// The element's name, after a slash if the tag ends it.
    pub(super) name: &'a str,
    attributes: &'a str,
    /// The text that follows, up to the next tag.
    pub(super) text: &'a str,
}

impl<'a> Tag<'a> {
    /// An attribute's value.
    pub(super) fn value(&self, attribute: &str) -> Option<&'a str> {
        self.attributes.split_once(&format!(" {attribute}=\""))?.1.split('"').next()
    }

    /// Every attribute's name.
    pub(super) fn attributes(&self) -> impl Iterator<Item = &'a str> {
        self.attributes.split('"').step_by(2).flat_map(|names| names.split([' ', '=']).filter(|name| !name.is_empty()))
    }
}

/// Every tag of a page, in order.
pub(super) fn tags(html: &str) -> Vec<Tag<'_>> {
    let tag = |after: &'_ str| -> usize { after.find('>').unwrap() };
    html.split('<')
        .skip(1)
        .map(|after| {
            let (inner, text) = after.split_at(tag(after));
            let end = inner.find(' ').unwrap_or(inner.len());
            let (name, attributes) = inner.split_at(end);
            Tag { name, attributes, text: text.get(1..).unwrap() }
        })
        .collect()
}

/// The elements with a name.
pub(super) fn named<'a>(html: &'a str, name: &str) -> Vec<Tag<'a>> {
    tags(html).into_iter().filter(|tag| tag.name == name).collect()
}
