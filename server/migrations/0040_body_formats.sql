-- How the arguments of a call become the body of its request. The size of body_encoding is bounded by that of the schema, which it names.

alter table custom_tools add column body_format text not null default 'json';
alter table custom_tools add column body_encoding json not null default '{}';
alter table custom_tools add column body_argument text;
alter table custom_tools add column body_content_type text;
