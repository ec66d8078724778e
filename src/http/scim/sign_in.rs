//! Who bears a user name: what a login asks first.

use super::names::{self, Name};
use crate::{config::Config, failure::Failure, http::Stop, jose::Ring, ports::World};
use grantlog_events::Subject;

/// Who bears the name, in one call.
pub(in crate::http) async fn bearer<W: World>(
    world: &W,
    ring: &Ring<W::Keys>,
    user_name: &str,
) -> Result<Option<Subject>, Stop> {
    let holder = names::holder(world, ring, Name::of_user(world.config(), user_name)?).await?;
    Ok(holder.map(|(subject, _)| subject))
}

/// A subject that does not exist, always the same for one name, so that a name that nobody bears is told from
/// one that somebody does by nothing that is done.
pub(in crate::http) fn nobody(config: &Config, user_name: &str) -> Result<Subject, Failure> {
    Ok(Subject::born(config.log_epoch, Name::of_user(config, user_name)?.half()))
}
