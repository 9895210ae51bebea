-- The headers of a webhook's answer. Null where there was none, and for attempts that were made before this column.

alter table delivery_attempts add column response_headers json;
