//! One row of every kind, written by hand: what the golden files pin.

use super::sample::{HOME, NOW, client, kid, metadata, person, scope, until, verifier_key};
use grantlog_events::{
    Seconds,
    key::{Algorithm, KeyStatus, SigningKey},
    state::{
        AttemptsRow, BornRow, ClaimRow, ClientRow, ConsentRow, DistrustedRow, EpochRow, GrantRow, LastingRow, LogRow,
        NoticeRow, RegisteredRow, RevokedRow, Row, SessionRow, SpentRow, Standing, SubjectRow,
    },
};

/// One row of every kind, with the key it stands under.
pub fn rows() -> Vec<(&'static str, Row)> {
    let registered = RegisteredRow {
        generation: 3,
        deleted: false,
        metadata: metadata(),
        changed: 12,
        revoke_tokens: true,
        confirmed: 2,
        dead_through: vec![(HOME, 7)],
        registered_at: NOW,
    };
    let signing = SigningKey {
        algorithm: Algorithm::EdDsa,
        jwk: r#"{"kty":"OKP"}"#.to_owned(),
        status: KeyStatus::Retired,
        published_at: NOW,
        activated_at: Some(NOW),
        until: Some(until()),
        confirmed: true,
    };
    let subject = SubjectRow {
        standing: Standing::Suspended,
        dead_through: Some(4),
        profile: 3,
        auditor: true,
        password: true,
        changed: 5,
        created: 2,
        continued: 1,
    };
    vec![
        ("self/", Row::Log(LogRow { place: HOME, verifier_key: verifier_key(), birth: [3; 32] })),
        ("subject/1-BwcHBwcHBwcHBwcHBwcHBw", Row::Subject(subject)),
        ("revoked/printer/17", Row::Revoked(RevokedRow { by: 18, until: until() })),
        ("client/printer", Row::Client(ClientRow { generation: 2, deleted: true, dead_through: Some(9), heard: 9 })),
        ("distrusted/es256-2027-01", Row::Distrusted(DistrustedRow { heard: 11 })),
        ("spent/04040404040404040404040404040404", Row::Spent(SpentRow { until: until() })),
        ("claim/06060606060606060606060606060606", Row::Claim(ClaimRow { subject: person(), at: NOW })),
        ("registered/printer", Row::Registered(registered)),
        ("signing/eddsa-1", Row::Signing(signing)),
        ("epoch/1", Row::Epoch(EpochRow { shards: 64 })),
        ("session/1-BwcHBwcHBwcHBwcHBwcHBw/17", Row::Session(session())),
        ("grant/1-BwcHBwcHBwcHBwcHBwcHBw/18", Row::Grant(grant())),
        (
            "consent/1-BwcHBwcHBwcHBwcHBwcHBw/printer",
            Row::Consent(ConsentRow { scope: scope("openid profile"), since: NOW }),
        ),
        ("attempts/1-BwcHBwcHBwcHBwcHBwcHBw", Row::Attempts(AttemptsRow { count: 3, since: NOW })),
        ("notice/1-BwcHBwcHBwcHBwcHBwcHBw/17/printer", Row::Notice(NoticeRow { ended: 19, at: NOW })),
        ("lasting/1-BwcHBwcHBwcHBwcHBwcHBw/18", Row::Lasting(LastingRow { until: until() })),
        ("born/1/42", Row::Born(BornRow { origin: HOME.origin("op.example"), verifier_key: verifier_key() })),
    ]
}

fn session() -> SessionRow {
    SessionRow {
        acr: "urn:grantlog:acr:password".to_owned(),
        amr: vec!["pwd".to_owned()],
        auth_time: NOW,
        last_used: NOW,
        idle: Seconds(86_400),
        until: until(),
        ended: Some(19),
        clients: vec![client("printer")],
    }
}

fn grant() -> GrantRow {
    GrantRow {
        client: client("printer"),
        session: Some(17),
        offline: true,
        scope: scope("openid profile offline_access"),
        started: NOW,
        redeemed: Some(19),
        until: until(),
        generation: 2,
        refresh_until: Some(until()),
        rotated_at: Some(NOW),
        issued: Some(20),
        token_until: Some(until()),
        replayed: true,
        kid: Some(kid("es256-2027-01")),
        id_kid: Some(kid("rs256-1")),
    }
}
