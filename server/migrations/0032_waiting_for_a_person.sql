-- Waiting for a person is a part of a call of its own: a call that only asked is no error, and one that ran shows the wait.

-- The call only asked a person to confirm it.
alter table tool_calls add column is_waiting boolean not null default false;
-- How long the person took whose yes the call used; null: nobody was asked.
alter table tool_calls add column waiting_ms integer;

-- How many of the calls only asked; they are not in errors. The rows of the dimension `waiting` count the calls that ran after a yes,
-- and their histograms have tenths of a second of waiting.
alter table call_rollups add column waiting bigint not null default 0;
