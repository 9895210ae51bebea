-- How many requests of a quota group passed in one second, as counted by one process: a restart does not begin a new hour.
-- No foreign keys: these rows are written behind the requests, and live for an hour.
create table request_counts (
  quota_group_id text not null,
  process_id text not null,
  second bigint not null,
  count integer not null,
  primary key (quota_group_id, second, process_id)
);

create index request_counts_by_age on request_counts (second);
