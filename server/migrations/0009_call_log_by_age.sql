-- The log of calls goes by age. It is written in the order of time, so a few bytes for each stretch of the table are enough.
create index tool_calls_oldest on tool_calls using brin (created_at);
