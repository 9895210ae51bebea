-- Whether a model found the tool of a call by searching.

alter table tool_calls add column via text;
