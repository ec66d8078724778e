//! `PATCH` (RFC 7644 §3.5.2): operations one after the other on a working copy, all or none.
//!
//! The result is read again as a whole user, so that no rule for users can be got around in parts.

use super::{
    attributes::{Kind, is_read_only},
    error::ScimError,
    path::{Comparison, Path},
};
use crate::http::Stop;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

const MOST_OPERATIONS: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Add,
    Replace,
    Remove,
}

/// Applies the operations of a request's body.
pub(super) fn apply(body: &Map<String, Value>, user: &mut Map<String, Value>) -> Result<(), Stop> {
    let operations = member(body, "Operations").and_then(Value::as_array).filter(|list| !list.is_empty());
    let operations =
        operations.ok_or_else(|| ScimError::Syntax.because("Operations is missing, empty or not a list."))?;
    if operations.len() > MOST_OPERATIONS {
        return Err(ScimError::Syntax.because("There are more than 100 operations."));
    }
    operations.iter().try_for_each(|operation| apply_one(operation, user))
}

fn apply_one(operation: &Value, user: &mut Map<String, Value>) -> Result<(), Stop> {
    let operation = operation.as_object().ok_or_else(|| ScimError::Syntax.because("An operation is not an object."))?;
    let op = named(member(operation, "op").and_then(Value::as_str).unwrap_or_default())?;
    let value = member(operation, "value").cloned().unwrap_or(Value::Null);
    match member(operation, "path") {
        Some(Value::String(path)) => change(op, &path_to(path)?, value, user),
        Some(_) => Err(ScimError::Path.because("A path is not a string.")),
        None => change_several(op, value, user),
    }
}

/// Some directories write `Replace` and `operations`.
fn named(op: &str) -> Result<Operation, Stop> {
    let operations = [("add", Operation::Add), ("replace", Operation::Replace), ("remove", Operation::Remove)];
    let found = operations.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(op));
    found.map(|(_, op)| op).ok_or_else(|| ScimError::Syntax.because("An op is not add, replace or remove."))
}

fn member<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    object.iter().find(|(held, _)| held.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

fn path_to(text: &str) -> Result<Path, Stop> {
    let first = text.split(['.', '[']).next().unwrap_or_default();
    if is_read_only(first) {
        return Err(ScimError::Mutability.because("The attribute is read-only."));
    }
    Path::parse(text).ok_or_else(|| ScimError::Path.because("A path is malformed or names no attribute that is kept."))
}

/// Without a path the value names the attributes; those that are not kept are ignored as in a whole user.
fn change_several(op: Operation, value: Value, user: &mut Map<String, Value>) -> Result<(), Stop> {
    if op == Operation::Remove {
        return Err(ScimError::NoTarget.because("What to remove is not said."));
    }
    let Value::Object(attributes) = value else {
        return Err(ScimError::Syntax.because("An operation without path needs an object as its value."));
    };
    for (name, value) in attributes {
        if let Some(path) = Path::parse(&name) {
            change(op, &path, value, user)?;
        }
    }
    Ok(())
}

fn change(op: Operation, path: &Path, value: Value, user: &mut Map<String, Value>) -> Result<(), Stop> {
    if op == Operation::Remove && matches!(path.kind, Kind::Password | Kind::Active) {
        return Err(ScimError::Mutability.because("The attribute cannot be removed."));
    }
    match (&path.filter, path.part) {
        (Some(filter), part) => change_chosen(op, path.attribute, filter, part, value, user),
        (None, Some(part)) => change_part(op, path.attribute, part, value, user),
        (None, None) => change_whole(op, path, value, user),
    }
}

fn change_whole(op: Operation, path: &Path, value: Value, user: &mut Map<String, Value>) -> Result<(), Stop> {
    let held = user.get_mut(path.attribute);
    match (op, path.kind, held, value) {
        (Operation::Remove, _, _, value) => return remove_whole(path, &value, user),
        (Operation::Add, Kind::List, Some(Value::Array(held)), value) => add_to(held, value),
        (_, Kind::List, _, value @ Value::Object(_)) => put(user, path.attribute, Value::Array(vec![value])),
        (_, Kind::Complex, Some(Value::Object(held)), Value::Object(parts)) => held.extend(parts),
        (_, _, _, value) => put(user, path.attribute, value),
    }
    Ok(())
}

/// Some directories name the values to remove in `value` instead of in a filter.
fn remove_whole(path: &Path, value: &Value, user: &mut Map<String, Value>) -> Result<(), Stop> {
    if path.kind != Kind::List || value.is_null() {
        user.remove(path.attribute);
        return Ok(());
    }
    let Value::Array(unwanted) = value else {
        return Err(ScimError::Syntax.because("The values to remove are not a list."));
    };
    if let Some(Value::Array(held)) = user.get_mut(path.attribute) {
        held.retain(|held| {
            !unwanted.iter().any(|unwanted| held.get("value").is_some() && held.get("value") == unwanted.get("value"))
        });
    }
    Ok(())
}

fn put(user: &mut Map<String, Value>, name: &str, value: Value) {
    user.insert(name.to_owned(), value);
}

/// A value that is added as primary takes that from the one that was (RFC 7643 §2.4).
fn add_to(held: &mut Vec<Value>, value: Value) {
    let added = match value {
        Value::Array(values) => values,
        value => vec![value],
    };
    if added.iter().any(|value| value.get("primary") == Some(&Value::Bool(true))) {
        held.iter_mut().filter_map(Value::as_object_mut).for_each(|value| drop(value.remove("primary")));
    }
    let mut known: BTreeSet<String> = held.iter().map(Value::to_string).collect();
    held.extend(added.into_iter().filter(|value| known.insert(value.to_string())));
}

fn change_part(
    op: Operation,
    attribute: &str,
    part: &str,
    value: Value,
    user: &mut Map<String, Value>,
) -> Result<(), Stop> {
    let held = user.entry(attribute).or_insert_with(|| Value::Object(Map::new()));
    let held = held.as_object_mut().ok_or_else(|| ScimError::NoTarget.because("The attribute has no parts."))?;
    set(op, held, part, value);
    Ok(())
}

fn set(op: Operation, held: &mut Map<String, Value>, part: &str, value: Value) {
    match op {
        Operation::Add | Operation::Replace => drop(held.insert(part.to_owned(), value)),
        Operation::Remove => drop(held.remove(part)),
    }
}

fn change_chosen(
    op: Operation,
    attribute: &str,
    filter: &Comparison,
    part: Option<&str>,
    value: Value,
    user: &mut Map<String, Value>,
) -> Result<(), Stop> {
    let held = user.entry(attribute).or_insert_with(|| Value::Array(Vec::new()));
    let held = held.as_array_mut().ok_or_else(|| ScimError::NoTarget.because("The attribute has no values."))?;
    if op == Operation::Remove && part.is_none() {
        held.retain(|value| !filter.chooses(value));
        return Ok(());
    }
    if !held.iter().any(|value| filter.chooses(value)) {
        return match op {
            Operation::Add => {
                held.push(Value::Object(Map::from_iter([(filter.part.to_owned(), filter.value.clone())])));
                change_chosen(op, attribute, filter, part, value, user)
            }
            Operation::Replace => Err(ScimError::NoTarget.because("No value is chosen by the filter.")),
            Operation::Remove => Ok(()),
        };
    }
    for chosen in held.iter_mut().filter(|value| filter.chooses(value)).filter_map(Value::as_object_mut) {
        match (part, &value) {
            (Some(part), value) => set(op, chosen, part, value.clone()),
            (None, Value::Object(parts)) => chosen.extend(parts.clone()),
            (None, _) => return Err(ScimError::Value.because("A value of the attribute must be an object.")),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
