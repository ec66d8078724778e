-- Login grants: one row for each redeemed code, what a person can see and end. Nothing is written for a token.

ALTER TABLE grants ADD COLUMN session TEXT;               -- address of the session it ends with; NULL: it outlives it
ALTER TABLE grants ADD COLUMN scope TEXT NOT NULL DEFAULT '';

-- A person's grants end together.
CREATE INDEX grants_by_subject ON grants (subject);
