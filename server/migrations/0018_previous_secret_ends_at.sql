-- breaking
-- The same name as in webhooks.
alter table custom_tools rename column previous_auth_secret_until to previous_secret_ends_at;
