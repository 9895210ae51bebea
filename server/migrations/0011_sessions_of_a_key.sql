-- Switching an API key off ends its sessions for good: each switch is a new epoch, and a session is good in its own only.
-- A number instead of a mark on each session: nothing is rewritten, and no session that is being made can escape it.

alter table api_keys add column session_epoch integer not null default 0;
alter table member_sessions add column key_epoch integer not null default 0;
