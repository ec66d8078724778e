//! A place a page may lead a person to. Anything that would run in our own origin, or that could end a
//! directive of the content security policy early, is none.

/// Schemes that do not leave for another site but act on this one.
const OURS: [&str; 8] = ["javascript", "data", "vbscript", "blob", "filesystem", "file", "about", "view-source"];

/// A URI that was registered by a client, in a form that is safe in a link and in a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    uri: String,
    source: String,
    place: String,
}

impl Destination {
    /// Reads an absolute URI; `None` if a page must not lead there.
    #[must_use]
    pub fn parse(uri: &str) -> Option<Self> {
        let (scheme, rest) = uri.split_once(':')?;
        let scheme = scheme.to_ascii_lowercase();
        let printable = uri.bytes().all(|byte| byte.is_ascii_graphic());
        if !printable || !is_scheme(&scheme) || OURS.contains(&scheme.as_str()) {
            return None;
        }
        let (source, place) =
            if scheme == "https" || scheme == "http" { web(&scheme, rest)? } else { (format!("{scheme}:"), scheme) };
        Some(Self { uri: uri.to_owned(), source, place })
    }

    /// The URI as it was registered.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// What a person is told of it: host and port, or the scheme of an app.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The source expression of wherever a redirect there may lead on to.
    pub(super) fn chain(&self) -> &str {
        if self.uri.starts_with("https:") { "https:" } else { &self.source }
    }

    /// Its source expression (CSP3 §2.3.1): the origin. An app's scheme and an IPv6 address, which the grammar of
    /// hosts lacks, are named by their scheme.
    pub(super) fn source(&self) -> &str {
        &self.source
    }
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|first: char| first.is_ascii_lowercase())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Source and place of a web address; user information is refused, it only ever misleads.
fn web(scheme: &str, rest: &str) -> Option<(String, String)> {
    let authority = rest.strip_prefix("//")?.split(['/', '?', '#']).next()?.to_ascii_lowercase();
    if let Some(address) = authority.strip_prefix('[') {
        let (address, port) = address.split_once(']')?;
        let genuine = address.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b':' || byte == b'.');
        return (genuine && is_port(port)).then(|| (format!("{scheme}:"), authority.clone()));
    }
    let (host, port) = authority.split_at(authority.find(':').unwrap_or(authority.len()));
    let genuine = !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
    (genuine && is_port(port)).then(|| (format!("{scheme}://{authority}"), authority.clone()))
}

/// Nothing, or a colon and digits.
fn is_port(port: &str) -> bool {
    port.is_empty() || port.strip_prefix(':').is_some_and(|number| number.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::Destination;

    fn parts(uri: &str) -> Option<(String, String)> {
        Destination::parse(uri).map(|found| (found.source, found.place))
    }

    #[test]
    fn a_policy_names_the_origin_and_a_person_is_told_the_host() {
        let told = |source: &str, place: &str| Some((source.to_owned(), place.to_owned()));
        assert_eq!(parts("https://Photos.example/cb?x=1#y"), told("https://photos.example", "photos.example"));
        assert_eq!(parts("http://127.0.0.1:4000/cb"), told("http://127.0.0.1:4000", "127.0.0.1:4000"));
        assert_eq!(parts("http://[::1]:4000/cb"), told("http:", "[::1]:4000"));
        assert_eq!(parts("com.example.app:/cb"), told("com.example.app:", "com.example.app"));
    }

    #[test]
    fn what_would_act_on_this_site_or_end_a_directive_is_no_destination() {
        for uri in [
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "data:text/html,x",
            "blob:https://a.example/1",
            "/cb",
            "https:cb",
            "https://",
            "https://a.example;script-src",
            "https://a.example b/cb",
            "https://a.example\n/cb",
            "https://ours.example@evil.example/",
            "https://a.example:port/",
            "https://[::1;x]/",
            "1x:/cb",
            ":x",
            "https://'self'/",
            "https://*/",
            "https://例.example/",
            "a;b:/cb",
            "https://a.example/c b",
            "com.example.app:/c\r\nb",
        ] {
            assert_eq!(parts(uri), None, "{uri}");
        }
    }
}
