-- What was submitted to directories of MCP servers, and how many results violated the schema of their tool.

create table directory_submissions (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  "for" text not null check ("for" in ('claude', 'chatgpt', 'registry')),
  version text,
  tool_count integer not null,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp()
);

create index directory_submissions_newest on directory_submissions (project_id, created_at desc, id desc);

-- The definitions at the last submission to each directory. No reference to the tools: one that was deleted since is a change, too.
create table directory_submission_tools (
  submission_id text not null references directory_submissions (id) on delete cascade,
  tool_id text not null,
  project_id text not null,
  name text collate "C" not null,
  definition_hash text not null,
  primary key (submission_id, tool_id)
);

-- By day (UTC). Each process has rows of its own, so that it does not overwrite the counts of another.
create table output_mismatches (
  project_id text not null references projects (id) on delete cascade,
  day date not null,
  tool_id text not null,
  process_id text not null,
  count bigint not null,
  primary key (project_id, day, tool_id, process_id)
) with (fillfactor = 70);

-- For retention.
create index output_mismatches_by_day on output_mismatches (day);
