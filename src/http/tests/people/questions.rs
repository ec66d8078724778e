//! The question whether to log out: put where no ID token shows who asks, and answered by who it was put to.

use super::{
    super::deployment::part,
    log::ended_sessions,
    logout::{BACK, asks, cast, is_done, logout, text},
};
use serde_json::Value;

/// `oidcc-rp-initiated-logout-no-params`, `-only-state`; nobody is logged out by a link (CSRF).
#[test]
fn without_an_id_token_the_person_is_asked_and_only_their_yes_ends_the_session() {
    let cast = cast();
    let (browser, tokens) = cast.logged_in();
    for parameters in [&[][..], &[("state", "x")], &[("client_id", &cast.client.id)]] {
        let page = browser.get(&logout(parameters));
        assert!(asks(&page), "{parameters:?}: {}", page.html);
        assert_eq!(page.html.contains("Printer"), parameters.iter().any(|(name, _)| *name == "client_id"));
    }
    assert!(cast.is_logged_in(&browser) && cast.works(&tokens));
    let page = browser.get(&logout(&[("state", "x")]));
    let page = browser.post("/logout", &[("challenge", &page.challenge())]);
    assert!(is_done(&page), "{}", page.html);
    assert!(!cast.is_logged_in(&browser) && !cast.works(&tokens));
}

/// A question is answered in the browser it was put to, in time, by who it was put to, and by nothing else.
#[test]
fn a_yes_that_is_not_this_persons_own_ends_nothing() {
    let cast = cast();
    let (here, _) = cast.logged_in();
    let (elsewhere, _) = cast.logged_in();
    let foreign = elsewhere.get("/logout").challenge();
    here.get("/logout");
    let late = here.get("/logout").challenge();
    for challenge in [&foreign, "nonsense"] {
        let page = here.post("/logout", &[("challenge", challenge)]);
        assert!(!is_done(&page), "{challenge}: {}", page.html);
    }
    cast.service.wait(600_001);
    assert!(!is_done(&here.post("/logout", &[("challenge", &late)])));
    assert!(cast.is_logged_in(&here) && cast.is_logged_in(&elsewhere));
    assert_eq!(ended_sessions(&cast.service), []);
}

/// Whoever logs in meanwhile, if only the same person anew, was not asked.
#[test]
fn a_yes_is_about_the_session_that_was_shown() {
    let cast = cast();
    let (here, tokens) = cast.logged_in();
    let question = here.get("/logout").challenge();
    here.drop_cookies();
    here.tokens(&cast.client, &cast.person, &[("scope", "openid")]);
    assert!(asks(&here.post("/logout", &[("challenge", &question)])));
    // Somebody else's session may stand at the same position of another log.
    let position = |tokens: &Value| part(text(tokens, "id_token"), 1)["sid"].as_str().unwrap().to_owned();
    let seq = |tokens: &Value| position(tokens).rsplit_once('-').unwrap().1.to_owned();
    let alike = (0..40).any(|_| {
        here.drop_cookies();
        let theirs = here.tokens(&cast.client, &cast.service.person_with_password(), &[("scope", "openid")]);
        seq(&theirs) == seq(&tokens) && position(&theirs) != position(&tokens)
    });
    assert!(alike);
    assert!(asks(&here.post("/logout", &[("challenge", &question)])));
    assert_eq!(ended_sessions(&cast.service), []);
}

/// A client that names itself and shows no ID token gets the person back, once they said yes.
#[test]
fn a_yes_leads_back_to_the_client_that_asked() {
    let cast = cast();
    let (browser, _) = cast.logged_in();
    let parameters = [
        ("client_id", cast.client.id.as_str()),
        ("post_logout_redirect_uri", BACK),
        ("state", "s"),
        ("ui_locales", "ja"),
    ];
    let page = browser.get(&logout(&parameters));
    assert!(asks(&page));
    assert_eq!(page.headers["content-language"], "ja");
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("form-action 'self' https:"), "{policy}");
    let page = browser.post("/logout", &[("challenge", &page.challenge())]);
    assert_eq!(page.location(), format!("{BACK}&state=s"));
    assert!(!cast.is_logged_in(&browser));
}
