-- breaking
-- One name for one thing: api_key_id as in member_sessions and the API, truncated as in the answer of a tool call.
alter table tool_calls rename column key_id to api_key_id;
alter table delivery_attempts rename column is_truncated to truncated;
