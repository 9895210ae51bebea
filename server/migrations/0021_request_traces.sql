-- Why a request was refused. A tool call needs no row here: its trace is made from its row in tool_calls.

create table request_traces (
  project_id text not null references projects on delete cascade,
  request_id text collate "C" not null,
  method text not null,
  -- The route template.
  route text not null,
  status smallint not null,
  code text not null,
  caller_kind text not null,
  api_key_id text,
  session_id text,
  member_id text,
  integration_id text,
  failed_step text not null,
  reason text not null,
  remedy text not null,
  created_at timestamptz not null,
  primary key (project_id, request_id)
);

-- For the retention.
create index request_traces_oldest on request_traces (created_at);
