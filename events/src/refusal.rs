//! Every domain reason for saying no. What the RFCs let us say of each is decided at the edge.

use crate::choice;

choice! {
    /// Why a command was refused.
    pub enum Refusal {
        /// No event issued this token, or the event says otherwise.
        1 "token_unknown" => TokenUnknown,
        /// The token's `exp` has passed by the shard's clock.
        2 "token_expired" => TokenExpired,
        /// The token itself was revoked.
        3 "token_revoked" => TokenRevoked,
        /// A token it was exchanged from was revoked.
        4 "ancestor_revoked" => AncestorRevoked,
        /// Its root authorization was revoked.
        5 "grant_revoked" => GrantRevoked,
        /// The home shard never saw this subject.
        6 "subject_unknown" => SubjectUnknown,
        /// The subject is suspended.
        7 "subject_suspended" => SubjectSuspended,
        /// The subject was erased.
        8 "subject_erased" => SubjectErased,
        /// Everything issued to the subject until a later event was revoked.
        9 "subject_tokens_revoked" => SubjectTokensRevoked,
        /// The token's client was deleted.
        10 "client_deleted" => ClientDeleted,
        /// Everything issued to the client until a later event was revoked.
        11 "client_tokens_revoked" => ClientTokensRevoked,
        /// The key that signed the token, or was to sign one, is compromised.
        12 "key_compromised" => KeyCompromised,
        /// The edge decided with a client view older than what this shard was told.
        13 "client_view_stale" => ClientViewStale,

        /// The client is not registered for token exchange.
        20 "client_may_not_exchange" => ClientMayNotExchange,
        /// The client may exchange only with an actor token.
        21 "impersonation_not_allowed" => ImpersonationNotAllowed,
        /// The subject token names who may act, and nobody acts.
        22 "actor_required" => ActorRequired,
        /// The actor is not the one that `may_act` names.
        23 "actor_not_named_by_may_act" => ActorNotNamedByMayAct,
        /// Policy does not admit actor tokens of that client.
        24 "actor_client_not_admitted" => ActorClientNotAdmitted,
        /// Policy does not admit subject tokens of that client.
        25 "subject_client_not_admitted" => SubjectClientNotAdmitted,
        /// Nothing is left of subject's scope ∩ client's scope ∩ requested scope.
        26 "scope_empty" => ScopeEmpty,
        /// An audience or resource lies outside policy.
        27 "target_not_admitted" => TargetNotAdmitted,
        /// More audiences or resources than the limit.
        28 "too_many_targets" => TooManyTargets,
        /// A further actor would exceed 16.
        29 "too_many_actors" => TooManyActors,
        /// A further ancestor would exceed 32.
        30 "too_many_ancestors" => TooManyAncestors,
        /// A refresh token was asked for where none is given.
        31 "refresh_token_not_allowed" => RefreshTokenNotAllowed,
        /// The actor token is not live; the actor's own shard said so.
        32 "actor_token_not_live" => ActorTokenNotLive,
        /// The exchange to void is not one that this shard recorded.
        33 "exchange_unknown" => ExchangeUnknown,
        /// Scope beyond what the client is registered for.
        34 "scope_exceeds_client" => ScopeExceedsClient,
        /// The assertion was already used.
        35 "assertion_spent" => AssertionSpent,
        /// The token was issued to another client.
        36 "token_of_another_client" => TokenOfAnotherClient,

        /// The registry has no such client.
        50 "client_unknown" => ClientUnknown,
        /// The client id is taken.
        51 "client_exists" => ClientExists,
        /// The change widens rights without `client:register`.
        52 "change_widens_rights" => ChangeWidensRights,
        /// The event would exceed 16 KiB.
        53 "event_too_large" => EventTooLarge,
        /// The registry has no such signing key.
        54 "key_unknown" => KeyUnknown,
        /// The key is not in a state that allows this step.
        55 "key_not_ready" => KeyNotReady,
        /// The epoch is already open.
        56 "epoch_already_open" => EpochAlreadyOpen,
        /// The epoch is not open.
        57 "epoch_not_open" => EpochNotOpen,
        /// The log already has its genesis.
        58 "log_already_open" => LogAlreadyOpen,
        /// The log has no genesis yet.
        59 "log_not_open" => LogNotOpen,

        /// Another subject holds the name.
        70 "name_taken" => NameTaken,
        /// Nobody holds the name under this claim.
        71 "claim_unknown" => ClaimUnknown,
        /// The subject already exists.
        72 "subject_exists" => SubjectExists,
        /// No grant begins at this position.
        73 "grant_unknown" => GrantUnknown,
        /// The request id was used for another command.
        74 "request_id_reused" => RequestIdReused,
        /// The subject has changed since the replacement was made from it.
        75 "subject_changed" => SubjectChanged,

        /// There is no live session, or not one that is fresh enough.
        80 "login_required" => LoginRequired,
        /// The person has not consented to this scope for this client.
        81 "consent_required" => ConsentRequired,
        /// The sign-in challenge was used before.
        82 "challenge_spent" => ChallengeSpent,
        /// Too many wrong passwords for this account; wait.
        83 "too_many_attempts" => TooManyAttempts,
        /// The password was wrong.
        84 "credentials_wrong" => CredentialsWrong,
        /// No event issued this code, or the event says otherwise.
        85 "code_unknown" => CodeUnknown,
        /// The code's life is over.
        86 "code_expired" => CodeExpired,
        /// The code was redeemed before: what it bought is revoked.
        87 "code_reused" => CodeReused,
        /// The redirect URI is not the one of the authorization request.
        88 "redirect_uri_differs" => RedirectUriDiffers,
        /// The code verifier does not fit the code challenge.
        89 "verifier_wrong" => VerifierWrong,
        /// No such refresh token was ever given.
        90 "refresh_token_unknown" => RefreshTokenUnknown,
        /// The refresh token's life is over.
        91 "refresh_token_expired" => RefreshTokenExpired,
        /// A rotated refresh token came again outside its grace: its family is revoked.
        92 "refresh_token_reused" => RefreshTokenReused,
        /// The session has ended.
        93 "session_ended" => SessionEnded,
        /// No session begins at this position.
        94 "session_unknown" => SessionUnknown,
        /// The pushed authorization request was used before.
        95 "request_spent" => RequestSpent,
        /// The client is not registered for this grant type.
        96 "grant_type_not_allowed" => GrantTypeNotAllowed,
    }
}
