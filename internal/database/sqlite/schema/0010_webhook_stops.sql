-- When a webhook, or who made it, was disabled: what happened before that is delivered or listed.
ALTER TABLE webhooks ADD COLUMN stopped_at INTEGER NOT NULL DEFAULT 0;
