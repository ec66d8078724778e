//! Reading the audit log is itself recorded: who, where, and a digest of what was asked.

use super::Decision;
use crate::{Body, Draft, body::AuditQueried, command::RecordQuery};

pub(super) fn record(command: &RecordQuery) -> Decision {
    let body = AuditQueried { endpoint: command.endpoint.clone(), query: command.query };
    Decision::grant(
        Draft::of(Body::AuditQueried(body)).about(command.subject.clone()).of_client(command.caller.clone()),
    )
}
