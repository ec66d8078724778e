//! A person's own page: what it shows, what its forms end, and that nobody else's form ends anything.

use super::{
    super::{
        deployment::{Client, Service, encoded},
        round_trips::costs,
    },
    Browser,
    browser::{Page, Person},
    log::{count, ended_sessions},
    logout::text,
};
use serde_json::{Value, json};

struct Cast {
    service: Service,
    client: Client,
    person: Person,
}

fn cast() -> Cast {
    cast_in(Service::new())
}

fn cast_in(service: Service) -> Cast {
    let (client, person) = (service.relying_party(&json!({})), service.person_with_password());
    Cast { service, client, person }
}

impl Cast {
    fn logged_in(&self, scope: &str) -> (Browser<'_>, Value) {
        let browser = Browser::new(&self.service);
        let tokens = browser.tokens(&self.client, &self.person, &[("scope", scope)]);
        (browser, tokens)
    }

    fn works(&self, tokens: &Value) -> bool {
        self.service.is_active(&self.client, text(tokens, "access_token"))
    }

    fn refreshes(&self, tokens: &Value) -> bool {
        self.service.refresh(&self.client, text(tokens, "refresh_token")).status == 200
    }
}

/// The values of `target` in the page's forms for this action.
fn targets(page: &Page, action: &str) -> Vec<String> {
    let forms = page.html.split("<form").filter(|form| form.contains(&format!("value=\"{action}\"")));
    let target = |form: &str| form.split_once("name=\"target\" value=\"")?.1.split('"').next().map(str::to_owned);
    forms.filter_map(target).collect()
}

fn submit(browser: &Browser<'_>, page: &Page, action: &str, target: Option<&str>) -> Page {
    let challenge = page.challenge();
    let mut form = vec![("challenge", challenge.as_str()), ("action", action)];
    form.extend(target.map(|target| ("target", target)));
    browser.post("/account", &form)
}

#[test]
fn whoever_is_not_logged_in_logs_in_and_comes_back() {
    let cast = cast();
    let browser = Browser::new(&cast.service);
    let page = browser.get("/account");
    assert!(page.is_at("/login"), "{}", page.html);
    let page = browser.log_in(&page, &cast.person);
    assert_eq!((page.status.as_u16(), page.location()), (303, "/account"));
    let page = browser.get("/account");
    assert_eq!(page.status, 200);
    assert!(page.html.contains("Ada L.") && page.html.contains("No application has access"), "{}", page.html);
}

#[test]
fn it_shows_every_session_that_lives_and_every_application_that_was_let_in() {
    let cast = cast();
    let other = cast.service.relying_party(&json!({ "client_name": "<b>Scanner</b>" }));
    let (browser, _) = cast.logged_in("openid email");
    browser.tokens(&other, &cast.person, &[("scope", "openid")]);
    let (elsewhere, _) = cast.logged_in("openid");
    let stranger = cast.service.person_with_password();
    Browser::new(&cast.service).tokens(&cast.client, &stranger, &[("scope", "openid")]);
    let page = browser.get("/account");
    assert_eq!(targets(&page, "end_session").len(), 1, "one besides this");
    let mut let_in = targets(&page, "withdraw");
    let_in.sort();
    let mut clients = vec![cast.client.id.clone(), other.id];
    clients.sort();
    assert_eq!(let_in, clients);
    assert!(page.html.contains("&lt;b&gt;Scanner&lt;/b&gt;") && page.html.contains("Printer"));
    // Of a session that has ended nothing is shown.
    let question = elsewhere.get("/logout");
    elsewhere.post("/logout", &[("challenge", &question.challenge())]);
    assert_eq!(targets(&browser.get("/account"), "end_session"), Vec::<String>::new());
}

/// V15: who ends a session that they do not hold ends that one, with all that was got by it.
#[test]
fn a_lost_device_is_logged_out_with_all_that_it_holds() {
    let cast = cast();
    let (here, mine) = cast.logged_in("openid offline_access");
    let (lost, theirs) = cast.logged_in("openid offline_access");
    let page = here.get("/account");
    let ended = submit(&here, &page, "end_session", Some(&targets(&page, "end_session")[0]));
    assert_eq!(ended.location(), "/account?done=end_session");
    let page = here.get(ended.location());
    assert!(page.html.contains("The session has ended.") && targets(&page, "end_session").is_empty());
    assert!(!cast.works(&theirs) && !cast.refreshes(&theirs));
    assert!(lost.get("/account").is_at("/login"));
    assert!(cast.works(&mine) && cast.refreshes(&mine));
    assert_eq!(ended_sessions(&cast.service), [("person", cast.person.subject.to_string())]);
}

#[test]
fn an_application_that_is_not_wanted_any_more_loses_its_access_everywhere_and_must_ask_again() {
    let cast = cast();
    let other = cast.service.relying_party(&json!({}));
    let (here, mine) = cast.logged_in("openid offline_access");
    let (_, elsewhere) = cast.logged_in("openid");
    let kept = here.tokens(&other, &cast.person, &[("scope", "openid")]);
    let page = here.get("/account");
    let done = submit(&here, &page, "withdraw", Some(&cast.client.id));
    let page = here.get(done.location());
    assert!(page.html.contains("no longer has access"));
    assert_eq!(targets(&page, "withdraw"), [other.id.as_str()]);
    for tokens in [&mine, &elsewhere] {
        assert!(!cast.works(tokens) && !cast.refreshes(tokens));
    }
    assert!(cast.service.is_active(&other, text(&kept, "access_token")));
    assert!(here.authorize(&cast.client, &[("scope", "openid")]).is_at("/consent"));
}

#[test]
fn signing_out_ends_this_session_and_keeps_what_is_meant_to_outlive_it() {
    let cast = cast();
    let (here, mine) = cast.logged_in("openid offline_access");
    let (there, theirs) = cast.logged_in("openid");
    let page = here.get("/account");
    let done = submit(&here, &page, "sign_out", None);
    assert!(here.get(done.location()).html.contains("You are signed out"));
    assert!(here.get("/account").is_at("/login"));
    assert!(cast.refreshes(&mine));
    assert!(cast.works(&theirs) && there.get("/account").is_at("/account"));
    assert_eq!(ended_sessions(&cast.service), [("logout", cast.person.subject.to_string())]);
}

/// A form works in the browser and the session that it was shown in, for half an hour, and there alone (CSRF).
#[test]
fn a_form_of_another_browser_session_or_time_ends_nothing() {
    let cast = cast();
    let (here, mine) = cast.logged_in("openid");
    let (there, _) = cast.logged_in("openid");
    let stranger = cast.service.person_with_password();
    let far = Browser::new(&cast.service);
    far.tokens(&cast.client, &stranger, &[("scope", "openid")]);
    let (mine_shown, theirs, strangers) = (here.get("/account"), there.get("/account"), far.get("/account"));
    for shown in [&theirs, &strangers] {
        for (action, target) in [("sign_out", None), ("withdraw", Some(cast.client.id.as_str()))] {
            assert_eq!(submit(&here, shown, action, target).status, 400);
        }
    }
    assert_eq!(here.post("/account", &[("action", "sign_out")]).status, 400);
    assert_eq!(here.post("/account", &[("action", "sign_out"), ("challenge", "nonsense")]).status, 400);
    let consent = here.authorize(&cast.client, &[("scope", "openid"), ("prompt", "consent")]).challenge();
    assert_eq!(here.post("/account", &[("action", "sign_out"), ("challenge", &consent)]).status, 400);
    cast.service.wait(1_800_000);
    let late = submit(&here, &mine_shown, "sign_out", None);
    assert_eq!(late.status, 400);
    assert!(late.html.contains("Nothing was changed."));
    assert_eq!((count(&cast.service, "session_ended"), count(&cast.service, "consent_withdrawn")), (0, 0));
    assert!(cast.refreshes(&mine));
}

/// V15: a form of one's own ends nothing of another person's, whatever it names.
#[test]
fn what_is_not_ones_own_is_not_ended() {
    // One shard, so that everybody's home is the same.
    let cast = cast_in(Service::with(&[("LOG_SHARDS", "1")]));
    let (here, mine) = cast.logged_in("openid");
    let neighbour = &cast.service.person_with_password();
    let next_door = Browser::new(&cast.service);
    next_door.tokens(&cast.client, neighbour, &[("scope", "openid")]);
    Browser::new(&cast.service).tokens(&cast.client, neighbour, &[("scope", "openid")]);
    let theirs = targets(&next_door.get("/account"), "end_session").remove(0);
    let page = here.get("/account");
    assert_eq!(submit(&here, &page, "end_session", Some(&theirs)).status, 303);
    for (action, target) in [
        ("end_session", Some("0-0-1")),
        ("end_session", Some("nonsense")),
        ("end_session", None),
        ("withdraw", None),
        ("sign_out", Some(theirs.as_str())),
        ("smoke", None),
    ] {
        assert_eq!(submit(&here, &page, action, target).status, 400, "{action} {target:?}");
    }
    submit(&here, &page, "withdraw", Some("c-AAAAAAAAAAAAAAAAAAAAAA"));
    assert_eq!((count(&cast.service, "session_ended"), count(&cast.service, "consent_withdrawn")), (0, 0));
    assert!(cast.works(&mine));
}

/// DESIGN §6: one call each; what names things is read beside it.
#[test]
fn each_look_and_each_change_is_one_call() {
    let cast = cast();
    let (browser, _) = cast.logged_in("openid");
    let get = || browser.with_cookies(::http::Request::get("/account"));
    costs(
        &cast.service,
        200,
        get,
        (&["log.ask", "views.user"], 1, 0),
        // A cold isolate reads the names of clients.
        (&["log.ask", "views.user", "views.client"], 2, 0),
    );
    let change = |action: &'static str, target: Option<String>| {
        let (browser, _) = cast.logged_in("openid");
        let challenge = browser.get("/account").challenge();
        let mut body = format!("challenge={}&action={action}", encoded(&challenge));
        body.extend(target.map(|target| format!("&target={}", encoded(&target))));
        let request =
            ::http::Request::post("/account").header(::http::header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let mut request = browser.with_cookies(request);
        *request.body_mut() = body.into_bytes();
        request
    };
    // The event, the session, its revocation.
    costs(&cast.service, 303, || change("sign_out", None), (&["log.ask"], 1, 3), (&["log.ask"], 1, 3));
}
