//! An authorization request is read (RFC 6749 §4.1.1, OIDC Core §3.1.2.1, RFC 7636, RFC 8707).
//!
//! First client and redirect URI are proven; what is wrong before that is told on a page. Everything
//! after it is told to the client.

use super::{
    asked::{Asked, Prompt, ResponseMode},
    claims,
    reply::{self, Complaint},
};
use crate::{
    http::{OAuthError, Stop, client, form::Form, page::Visit},
    jose::id_token,
    pages::Trouble,
    pairwise,
    ports::World,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use grantlog_events::{
    ClientId, Scope, Seconds,
    client::{AuthenticationMethod, GrantType},
    token::Party,
};
use grantlog_projections::{claims::scope_of, client::ClientView};
use std::rc::Rc;

/// The longest `state` and `nonce`, in bytes.
const LONGEST: usize = 2_048;

/// The client that a request names, as the registry or memory has it.
pub(super) async fn client_of<W: World>(
    visit: Visit<'_, W>,
    form: &Form,
    strongly: bool,
) -> Result<Rc<ClientView>, Stop> {
    let (world, unknown) = (visit.world, || visit.trouble(Trouble::UnknownClient));
    let id = form.value("client_id").and_then(|id| ClientId::parse(id).ok()).ok_or_else(unknown)?;
    let view = if strongly { client::registered_stranger(world, &id).await? } else { client::view(world, &id).await? };
    view.filter(|view| !view.deleted).ok_or_else(unknown)
}

/// The client of a request that was read before, if the answer may still go where it was to go.
pub(super) async fn client_again<W: World>(visit: Visit<'_, W>, asked: &Asked) -> Result<Rc<ClientView>, Stop> {
    let view = client::view(visit.world, &asked.client).await?.filter(|view| !view.deleted);
    let client = view.ok_or_else(|| visit.trouble(Trouble::UnknownClient))?;
    may_still_answer(visit, &client, asked)?;
    Ok(client)
}

/// What a page or a `request_uri` carries was proven some minutes ago.
pub(super) fn may_still_answer<W: World>(visit: Visit<'_, W>, client: &ClientView, asked: &Asked) -> Result<(), Stop> {
    let is_registered = is_registered(client, &asked.redirect_uri);
    if is_registered { Ok(()) } else { Err(visit.trouble(Trouble::UnregisteredRedirectUri)) }
}

/// The request, or what is said of it instead.
pub(super) async fn asked<W: World>(visit: Visit<'_, W>, client: &ClientView, form: &Form) -> Result<Asked, Stop> {
    let target = target(client, form).map_err(|trouble| visit.trouble(trouble))?;
    match rest(visit.world, client, form, target.clone()).await {
        Ok(asked) => Ok(asked),
        Err(Wrong::Complaint(complaint, sentence)) => Err(reply::complaint(visit, &target, complaint, sentence).into()),
        Err(Wrong::Stop(stop)) => Err(stop),
    }
}

/// The request as it is pushed (RFC 9126 §2.1): what is wrong is told at once, to the client itself.
pub(super) async fn pushed<W: World>(world: &W, client: &ClientView, form: &Form) -> Result<Asked, Stop> {
    let refuse = |sentence: &str| Stop::Error(OAuthError::InvalidRequest, sentence.to_owned());
    let target = target(client, form).map_err(|_| refuse("The redirect_uri is not registered or the mode unknown."))?;
    match rest(world, client, form, target).await {
        Ok(asked) => Ok(asked),
        Err(Wrong::Complaint(complaint, sentence)) => Err(Stop::Error(complaint.when_pushed(), sentence.to_owned())),
        Err(Wrong::Stop(stop)) => Err(stop),
    }
}

enum Wrong {
    Complaint(Complaint, &'static str),
    Stop(Stop),
}

impl From<Stop> for Wrong {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

fn wrong<T>(complaint: Complaint, sentence: &'static str) -> Result<T, Wrong> {
    Err(Wrong::Complaint(complaint, sentence))
}

/// Where the answer goes, proven to be the client's own: the URI equals a registered one, byte for byte.
fn target(client: &ClientView, form: &Form) -> Result<Asked, Trouble> {
    let redirect_uri = form.value("redirect_uri").ok_or(Trouble::UnregisteredRedirectUri)?;
    if !is_registered(client, redirect_uri) {
        return Err(Trouble::UnregisteredRedirectUri);
    }
    let mode = match form.value("response_mode") {
        None | Some("query") => ResponseMode::Query,
        Some("fragment") => ResponseMode::Fragment,
        Some("form_post") => ResponseMode::FormPost,
        Some(_) => return Err(Trouble::MalformedRequest),
    };
    Ok(Asked {
        client: client.client.clone(),
        redirect_uri: redirect_uri.to_owned(),
        mode,
        state: form.value("state").filter(|state| state.len() <= LONGEST).map(str::to_owned),
        nonce: None,
        scope: Scope::default(),
        challenge: None,
        resources: Vec::new(),
        userinfo_claims: Vec::new(),
        id_token_claims: Vec::new(),
        max_age: None,
        prompt: Vec::new(),
        login_hint: None,
        ui_locales: None,
        about: None,
        pushed: None,
    })
}

/// Byte for byte; only the port of a loopback address may differ (RFC 8252 §7.3).
fn is_registered(client: &ClientView, redirect_uri: &str) -> bool {
    let registered = &client.metadata.redirect_uris;
    registered.iter().any(|held| held == redirect_uri)
        || without_loopback_port(redirect_uri).is_some_and(|asked| {
            registered.iter().any(|held| without_loopback_port(held).is_some_and(|held| held == asked))
        })
}

/// Host and path of an `http` URI on a literal loopback address, without the port.
fn without_loopback_port(uri: &str) -> Option<(&'static str, &str)> {
    let rest = uri.strip_prefix("http://")?;
    let (host, rest) = ["127.0.0.1", "[::1]"].into_iter().find_map(|host| Some((host, rest.strip_prefix(host)?)))?;
    match rest.strip_prefix(':') {
        None if rest.starts_with('/') => Some((host, rest)),
        None => None,
        Some(rest) => {
            let path = rest.find('/')?;
            let (port, path) = rest.split_at_checked(path)?;
            (!port.is_empty() && port.bytes().all(|b| b.is_ascii_digit())).then_some((host, path))
        }
    }
}

async fn rest<W: World>(world: &W, client: &ClientView, form: &Form, mut asked: Asked) -> Result<Asked, Wrong> {
    if form.value("request").is_some() {
        return wrong(Complaint::RequestNotSupported, "Request objects are not supported.");
    }
    if form.value("request_uri").is_some() {
        return wrong(Complaint::RequestUriNotSupported, "Only a request_uri of the pushed request endpoint is taken.");
    }
    if form.value("registration").is_some() {
        return wrong(Complaint::RegistrationNotSupported, "Clients are registered at the registration endpoint.");
    }
    match form.value("response_type") {
        Some("code") => {}
        None => return wrong(Complaint::InvalidRequest, "The parameter response_type is missing."),
        Some(_) => return wrong(Complaint::UnsupportedResponseType, "Only the response type code is supported."),
    }
    if !client.metadata.grant_types.contains(&GrantType::AuthorizationCode) {
        return wrong(Complaint::UnauthorizedClient, "The client is not registered for authorization codes.");
    }
    if [form.value("state"), form.value("nonce")].into_iter().flatten().any(|text| text.len() > LONGEST) {
        return wrong(Complaint::InvalidRequest, "The state or nonce is too long.");
    }
    asked.challenge = challenge(client, form)?;
    asked.scope = scope(client, form)?;
    asked.prompt = prompt(form)?;
    asked.max_age = max_age(client, form)?;
    asked.resources = resources(client, form)?;
    let claims =
        claims::read(form.value("claims")).map_err(|sentence| Wrong::Complaint(Complaint::InvalidRequest, sentence))?;
    if !claims.acr_can_be_met {
        return wrong(Complaint::UnmetAuthenticationRequirements, "No login here has an acr that was asked for.");
    }
    asked.about = about(world, form, claims.sub.as_deref()).await?;
    // Claims of scopes that the client may not ask for are not understood either.
    let may_ask = |name: &String| scope_of(name).is_some_and(|scope| client.metadata.scope.contains(scope));
    asked.userinfo_claims = claims.userinfo.into_iter().filter(may_ask).collect();
    asked.id_token_claims = claims.id_token.into_iter().filter(may_ask).collect();
    asked.nonce = form.value("nonce").map(str::to_owned);
    asked.login_hint = form.value("login_hint").filter(|hint| hint.len() <= LONGEST).map(str::to_owned);
    asked.ui_locales = form.value("ui_locales").filter(|locales| locales.len() <= LONGEST).map(str::to_owned);
    Ok(asked)
}

fn challenge(client: &ClientView, form: &Form) -> Result<Option<[u8; 32]>, Wrong> {
    match (form.value("code_challenge"), form.value("code_challenge_method")) {
        (None, None) if client.metadata.authentication == AuthenticationMethod::None => {
            wrong(Complaint::InvalidRequest, "A public client must send a code_challenge.")
        }
        (None, None) => Ok(None),
        (None, Some(_)) => wrong(Complaint::InvalidRequest, "There is a code_challenge_method without code_challenge."),
        (Some(challenge), Some("S256")) => {
            let bytes = URL_SAFE_NO_PAD.decode(challenge).ok().and_then(|bytes| bytes.try_into().ok());
            bytes.map(Some).ok_or(Wrong::Complaint(Complaint::InvalidRequest, "The code_challenge is malformed."))
        }
        (Some(_), _) => wrong(Complaint::InvalidRequest, "The code_challenge_method must be S256."),
    }
}

/// Scope values that are not understood are left out (OIDC Core §3.1.2.1); none at all means all.
fn scope(client: &ClientView, form: &Form) -> Result<Scope, Wrong> {
    let held = &client.metadata.scope;
    let Some(text) = form.value("scope") else { return Ok(held.clone()) };
    let Ok(scope) = Scope::parse(text) else { return wrong(Complaint::InvalidScope, "The scope is malformed.") };
    let understood = scope.intersection(held);
    if understood.is_empty() {
        return wrong(Complaint::InvalidScope, "The client may ask for nothing of this scope.");
    }
    Ok(understood)
}

fn prompt(form: &Form) -> Result<Vec<Prompt>, Wrong> {
    let words = form.value("prompt").unwrap_or_default().split(' ').filter(|word| !word.is_empty());
    let mut prompt = Vec::new();
    for word in words {
        let Some(wanted) = Prompt::ALL.iter().find(|prompt| prompt.name() == word) else {
            return wrong(Complaint::InvalidRequest, "The prompt is not supported.");
        };
        prompt.push(*wanted);
    }
    if prompt.contains(&Prompt::None) && prompt.len() > 1 {
        return wrong(Complaint::InvalidRequest, "The prompt none goes with no other.");
    }
    Ok(prompt)
}

fn max_age(client: &ClientView, form: &Form) -> Result<Option<Seconds>, Wrong> {
    match form.value("max_age").map(str::parse) {
        None => Ok(client.metadata.default_max_age),
        Some(Ok(seconds)) => Ok(Some(Seconds(seconds))),
        Some(Err(_)) => wrong(Complaint::InvalidRequest, "The max_age is not a number of seconds."),
    }
}

fn resources(client: &ClientView, form: &Form) -> Result<Vec<String>, Wrong> {
    let resources = form.values("resource");
    if resources.len() > grantlog_events::decide::MAX_TARGETS
        || !resources.iter().all(|resource| client.metadata.resources.contains(resource))
    {
        return wrong(Complaint::InvalidTarget, "The client may not ask for this resource.");
    }
    Ok(resources)
}

/// Whom a hint or the claim `sub` names: the answer is about them or about nobody.
async fn about<W: World>(
    world: &W,
    form: &Form,
    claimed: Option<&str>,
) -> Result<Option<grantlog_events::Subject>, Wrong> {
    let mut named = claimed.map(str::to_owned);
    if let Some(hint) = form.value("id_token_hint") {
        named = match id_token::verify_hint(world, hint).await {
            Ok(hint) => Some(hint.subject),
            Err(crate::jose::VerifyError::Failure(failure)) => return Err(Wrong::Stop(failure.into())),
            Err(crate::jose::VerifyError::Invalid(_)) => {
                return wrong(Complaint::InvalidRequest, "The id_token_hint is not an ID token of this issuer.");
            }
        };
    }
    let Some(named) = named else { return Ok(None) };
    match pairwise::read_sub(world.config(), &named) {
        Some(Party::Subject(subject)) => Ok(Some(subject)),
        Some(Party::Client(_)) | None => wrong(Complaint::LoginRequired, "The person asked for is not known here."),
    }
}
