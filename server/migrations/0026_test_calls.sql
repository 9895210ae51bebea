-- A person calls a tool only to try it: a call with an account is a test.

alter table tool_calls add column account_id text;
