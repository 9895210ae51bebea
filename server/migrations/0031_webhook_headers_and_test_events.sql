-- What is sent to a webhook: headers of its own, and events that only try it.

-- Sealed. Null: none. Their names are shown, so they are stored beside it.
alter table webhooks add column headers text;
alter table webhooks add column header_names text[] not null default '{}';

-- True: the example of its type, sent to one webhook on request. Nothing happened.
alter table events add column is_test boolean not null default false;
