"""Authlib: code flow with PKCE, userinfo, refresh, revocation, logout; and what must be refused."""

import os
import re
import sys
import traceback
import uuid
from html import unescape
from urllib.parse import parse_qs, urlencode, urljoin, urlparse

import requests
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import KeySet

ISSUER = os.environ["GRANTLOG_ISSUER"]
OPERATOR = (os.environ["GRANTLOG_OPERATOR_ID"], os.environ["GRANTLOG_OPERATOR_SECRET"])
CALLBACK = "http://localhost:9/callback"
BYE = "http://localhost:9/bye"
# The issuer is on loopback, where there is no TLS.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

failed = []


def check(sentence):
    def run(body):
        try:
            body()
            print(f"ok      {sentence}")
        except Exception:
            failed.append(sentence)
            print(f"FAILED  {sentence}\n{traceback.format_exc()}")

    return run


def operator():
    form = {"grant_type": "client_credentials", "scope": "client:register scim"}
    answer = requests.post(f"{ISSUER}/token", data=form, auth=OPERATOR, timeout=30)
    return {"authorization": f"Bearer {answer.json()['access_token']}"}


def created(path, body, kind="application/json"):
    headers = {**operator(), "content-type": kind}
    answer = requests.post(f"{ISSUER}{path}", json=body, headers=headers, timeout=30)
    assert answer.status_code == 201, answer.text
    return answer.json()


class Browser:
    """A browser without scripts: it keeps cookies, follows redirects and fills in forms."""

    def __init__(self):
        self.session = requests.Session()

    def go(self, url, method="GET", data=None):
        for _ in range(10):
            answer = self.session.request(method, url, data=data, allow_redirects=False, timeout=30)
            if answer.status_code not in (302, 303):
                return answer
            url, method, data = urljoin(url, answer.headers["location"]), "GET", None
            if not url.startswith(ISSUER):
                return url
        raise AssertionError("too many redirects")

    def submit(self, page, **fields):
        hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page.text)
        action = re.search(r'<form[^>]*action="([^"]*)"', page.text).group(1)
        data = {**{name: unescape(value) for name, value in hidden}, **fields}
        return self.go(urljoin(page.url, action), "POST", data)

    def authorize(self, url, person):
        page = self.go(url)
        if not isinstance(page, str) and 'action="/login"' in page.text:
            page = self.submit(page, username=person["userName"], password=person["password"])
        if not isinstance(page, str) and 'action="/consent"' in page.text:
            page = self.submit(page, decision="allow")
        assert isinstance(page, str), page.text
        return page


metadata = requests.get(f"{ISSUER}/.well-known/openid-configuration", timeout=30).json()
keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=30).json())
client = created(
    "/register",
    {
        "client_name": "Authlib",
        "redirect_uris": [CALLBACK],
        "post_logout_redirect_uris": [BYE],
        "grant_types": ["authorization_code", "refresh_token"],
        "scope": "openid profile email offline_access",
    },
)
person = {"userName": f"person-{uuid.uuid4()}", "password": str(uuid.uuid4()), "name": {"givenName": "Ada"}}
person["id"] = created("/scim/v2/Users", person, "application/scim+json")["id"]
browser = Browser()


def session():
    return OAuth2Session(
        client["client_id"],
        client["client_secret"],
        scope="openid profile email offline_access",
        redirect_uri=CALLBACK,
        code_challenge_method="S256",
        token_endpoint_auth_method="client_secret_basic",
    )


def login(nonce):
    oauth = session()
    verifier = uuid.uuid4().hex * 2
    url, state = oauth.create_authorization_url(
        metadata["authorization_endpoint"], nonce=nonce, code_verifier=verifier
    )
    callback = browser.authorize(url, person)
    assert parse_qs(urlparse(callback).query)["iss"] == [ISSUER]
    return oauth, callback, state, verifier


def redeem(oauth, callback, state, verifier):
    return oauth.fetch_token(
        metadata["token_endpoint"], authorization_response=callback, state=state, code_verifier=verifier
    )


def validated(id_token, nonce):
    decoded = jwt.decode(id_token, keys, algorithms=["RS256"])
    claims = CodeIDToken(
        decoded.claims,
        decoded.header,
        options={"iss": {"values": [ISSUER]}, "aud": {"value": client["client_id"]}},
        params={"nonce": nonce, "client_id": client["client_id"]},
    )
    claims.validate(leeway=0)
    return claims


def refused(run, error):
    try:
        run()
    except AuthlibBaseError as refusal:
        assert refusal.error == error, refusal
        return
    raise AssertionError("not refused")


@check("a person logs in and the ID token is right")
def _():
    oauth, *attempt = login("n-1")
    tokens = redeem(oauth, *attempt)
    assert validated(tokens["id_token"], "n-1")["sub"] == person["id"]


@check("userinfo is about the same person, and a refresh gives new tokens")
def _():
    oauth, *attempt = login("n-2")
    tokens = redeem(oauth, *attempt)
    info = oauth.get(metadata["userinfo_endpoint"]).json()
    assert info["sub"] == person["id"] and info["given_name"] == "Ada", info
    refreshed = oauth.refresh_token(metadata["token_endpoint"], refresh_token=tokens["refresh_token"])
    assert refreshed["access_token"] != tokens["access_token"]
    assert oauth.get(metadata["userinfo_endpoint"]).status_code == 200


@check("a revoked refresh token is refused, and its access token with it")
def _():
    oauth, *attempt = login("n-3")
    tokens = redeem(oauth, *attempt)
    answer = oauth.revoke_token(metadata["revocation_endpoint"], token=tokens["refresh_token"])
    assert answer.status_code == 200, answer.text
    refused(
        lambda: oauth.refresh_token(metadata["token_endpoint"], refresh_token=tokens["refresh_token"]),
        "invalid_grant",
    )
    assert requests.get(
        metadata["userinfo_endpoint"],
        headers={"authorization": f"Bearer {tokens['access_token']}"},
        timeout=30,
    ).status_code == 401


@check("a replayed code is refused by the server")
def _():
    oauth, *attempt = login("n-4")
    redeem(oauth, *attempt)
    refused(lambda: redeem(oauth, *attempt), "invalid_grant")


@check("a wrong nonce is refused by the client")
def _():
    oauth, *attempt = login("n-5")
    tokens = redeem(oauth, *attempt)
    try:
        validated(tokens["id_token"], "another")
    except Exception as refusal:
        assert "nonce" in str(refusal), refusal
        return
    raise AssertionError("not refused")


@check("logging out leads back to the client, and nobody is logged in any more")
def _():
    oauth, *attempt = login("n-6")
    tokens = redeem(oauth, *attempt)
    query = urlencode({"id_token_hint": tokens["id_token"], "post_logout_redirect_uri": BYE, "state": "s"})
    assert browser.go(f"{metadata['end_session_endpoint']}?{query}") == f"{BYE}?state=s"
    url, _ = session().create_authorization_url(
        metadata["authorization_endpoint"], nonce="n", prompt="none", code_verifier="v" * 43
    )
    assert parse_qs(urlparse(browser.go(url)).query)["error"] == ["login_required"]


sys.exit(1 if failed else 0)
