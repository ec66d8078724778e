//! The life of a token, told: registered for, issued, exchanged, used, revoked, refused, and read back
//! from the log. Each step says what was asked and what came; the first that does not hold ends it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a step that does not hold panics, and the transcript says which"
)]

mod aftermath;
mod life;
mod proof;
mod transcript;

use grantlog_tests::Service;
use transcript::Transcript;

fn main() {
    let mut transcript = Transcript::begin("Grantlog: the life of a token");
    let service = transcript.step("Find the service", |told| {
        let service = Service::shared();
        told.asked("GET /.well-known/openid-configuration");
        told.came(&format!("issuer {}", service.issuer));
        service
    });
    let cast = life::meet(&mut transcript, &service);
    let tokens = life::live(&mut transcript, &cast);
    let end = aftermath::revoke(&mut transcript, &cast, &tokens);
    aftermath::look_back(&mut transcript, &cast, &tokens, &end);
    proof::export_and_verify(&mut transcript, &service);
    transcript.end();
}
