//! The `openidconnect` crate: discovery, code flow with PKCE, userinfo, refresh, revocation, logout; and what
//! must be refused.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a check stops at the first thing that does not hold"
)]

use grantlog_tests::{Browser, Person, Registration, Service, browser::parameters, client::Authentication};
use openidconnect::{
    AccessTokenHash, AuthorizationCode, ClientId, ClientSecret, CsrfToken, HttpRequest, HttpResponse, IssuerUrl,
    LogoutRequest, Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, PostLogoutRedirectUrl,
    ProviderMetadataWithLogout, RedirectUrl, RequestTokenError, Scope, TokenResponse,
    core::{CoreAuthenticationFlow, CoreClient, CoreErrorResponseType, CoreTokenResponse, CoreUserInfoClaims},
};
use std::{panic::catch_unwind, process::ExitCode};

const CALLBACK: &str = "https://client.example/callback";
const BYE: &str = "https://client.example/bye";

/// What the crate asks with.
fn send(request: HttpRequest) -> Result<HttpResponse, ureq::Error> {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build().into();
    let (parts, mut body) = agent.run(request)?.into_parts();
    Ok(http::Response::from_parts(parts, body.read_to_vec()?))
}

type Client = CoreClient<
    openidconnect::EndpointSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointMaybeSet,
    openidconnect::EndpointMaybeSet,
>;

struct Cast {
    client: Client,
    metadata: ProviderMetadataWithLogout,
    person: Person,
    browser: Browser,
}

/// A login on its way.
struct Attempt {
    code: AuthorizationCode,
    verifier: PkceCodeVerifier,
    nonce: Nonce,
}

fn cast() -> Cast {
    let service = Service::shared();
    let registered = Registration::relying_party("openidconnect", &[CALLBACK])
        .with("post_logout_redirect_uris", vec![BYE].into())
        .register(&service);
    let Authentication::Basic(secret) = &registered.authentication else { panic!("it has a secret") };
    let issuer = IssuerUrl::new(service.issuer.clone()).unwrap();
    let metadata = ProviderMetadataWithLogout::discover(&issuer, &send).expect("discovery");
    let client = CoreClient::from_provider_metadata(
        metadata.clone(),
        ClientId::new(registered.id.clone()),
        Some(ClientSecret::new(secret.clone())),
    )
    .set_redirect_uri(RedirectUrl::new(CALLBACK.to_owned()).unwrap());
    Cast { client, metadata, person: Person::create(&service), browser: Browser::new(&service) }
}

impl Cast {
    fn log_in(&self) -> Attempt {
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let flow = CoreAuthenticationFlow::AuthorizationCode;
        let (url, state, nonce) = self
            .client
            .authorize_url(flow, CsrfToken::new_random, Nonce::new_random)
            .add_scope(Scope::new("profile".to_owned()))
            .add_scope(Scope::new("offline_access".to_owned()))
            .set_pkce_challenge(challenge)
            .url();
        let page = self.browser.through(self.browser.go(url.as_str()), &self.person);
        let mut sent = parameters(page.location());
        assert_eq!(sent.remove("state").as_ref(), Some(state.secret()));
        Attempt { code: AuthorizationCode::new(sent.remove("code").expect("a code")), verifier, nonce }
    }

    fn redeem(&self, attempt: &Attempt) -> Result<CoreTokenResponse, CoreErrorResponseType> {
        let verifier = PkceCodeVerifier::new(attempt.verifier.secret().clone());
        let request = self.client.exchange_code(attempt.code.clone()).unwrap().set_pkce_verifier(verifier);
        request.request(&send).map_err(refusal)
    }
}

fn refusal<E: std::error::Error>(
    error: RequestTokenError<E, openidconnect::StandardErrorResponse<CoreErrorResponseType>>,
) -> CoreErrorResponseType {
    match error {
        RequestTokenError::ServerResponse(response) => response.error().clone(),
        other => panic!("not a refusal: {other}"),
    }
}

fn a_person_logs_in_and_the_id_token_is_right() {
    let cast = cast();
    let attempt = cast.log_in();
    let tokens = cast.redeem(&attempt).expect("tokens");
    let verifier = cast.client.id_token_verifier();
    let id_token = tokens.id_token().expect("an ID token");
    let claims = id_token.claims(&verifier, &attempt.nonce).expect("claims that verify");
    assert_eq!(claims.subject().as_str(), cast.person.user.id);
    let algorithm = id_token.signing_alg().unwrap();
    let key = id_token.signing_key(&verifier).unwrap();
    let hash = AccessTokenHash::from_token(tokens.access_token(), algorithm, key).unwrap();
    assert_eq!(claims.access_token_hash(), Some(&hash));
}

fn userinfo_is_about_the_same_person_and_a_refresh_gives_new_tokens() {
    let cast = cast();
    let attempt = cast.log_in();
    let tokens = cast.redeem(&attempt).expect("tokens");
    let refreshed = cast.client.exchange_refresh_token(tokens.refresh_token().expect("one")).unwrap();
    let refreshed: CoreTokenResponse = refreshed.request(&send).expect("new tokens");
    assert_ne!(refreshed.access_token().secret(), tokens.access_token().secret());
    let userinfo: CoreUserInfoClaims =
        cast.client.user_info(refreshed.access_token().clone(), None).unwrap().request(&send).expect("userinfo");
    assert_eq!(userinfo.subject().as_str(), cast.person.user.id);
    assert!(userinfo.given_name().is_some());
}

fn a_wrong_nonce_is_refused_by_the_client() {
    let cast = cast();
    let attempt = cast.log_in();
    let tokens = cast.redeem(&attempt).expect("tokens");
    let verifier = cast.client.id_token_verifier();
    let claims = tokens.id_token().unwrap().claims(&verifier, &Nonce::new("another".to_owned()));
    assert!(claims.unwrap_err().to_string().contains("nonce"));
}

fn a_replayed_code_is_refused_by_the_server() {
    let cast = cast();
    let attempt = cast.log_in();
    cast.redeem(&attempt).expect("tokens");
    assert_eq!(cast.redeem(&attempt).unwrap_err(), CoreErrorResponseType::InvalidGrant);
}

fn a_wrong_verifier_is_refused_by_the_server() {
    let cast = cast();
    let (_, other) = PkceCodeChallenge::new_random_sha256();
    let attempt = Attempt { verifier: other, ..cast.log_in() };
    assert_eq!(cast.redeem(&attempt).unwrap_err(), CoreErrorResponseType::InvalidGrant);
}

fn logging_out_leads_back_to_the_client() {
    let cast = cast();
    let attempt = cast.log_in();
    let tokens = cast.redeem(&attempt).expect("tokens");
    let end = cast.metadata.additional_metadata().end_session_endpoint.clone().expect("an end_session_endpoint");
    let url = LogoutRequest::from(end)
        .set_id_token_hint(tokens.id_token().unwrap())
        .set_post_logout_redirect_uri(PostLogoutRedirectUrl::new(BYE.to_owned()).unwrap())
        .set_state(CsrfToken::new("bye".to_owned()))
        .http_get_url();
    assert_eq!(cast.browser.go(url.as_str()).location(), format!("{BYE}?state=bye"));
}

fn main() -> ExitCode {
    let checks: [(&str, fn()); 6] = [
        ("a person logs in and the ID token is right", a_person_logs_in_and_the_id_token_is_right),
        (
            "userinfo is about the same person, and a refresh gives new tokens",
            userinfo_is_about_the_same_person_and_a_refresh_gives_new_tokens,
        ),
        ("a wrong nonce is refused by the client", a_wrong_nonce_is_refused_by_the_client),
        ("a replayed code is refused by the server", a_replayed_code_is_refused_by_the_server),
        ("a wrong verifier is refused by the server", a_wrong_verifier_is_refused_by_the_server),
        ("logging out leads back to the client", logging_out_leads_back_to_the_client),
    ];
    let mut failed = false;
    for (sentence, check) in checks {
        let held = catch_unwind(check).is_ok();
        println!("{:<7} {sentence}", if held { "ok" } else { "FAILED" });
        failed |= !held;
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
