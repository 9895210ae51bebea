-- How OAuth clients get a toolset (baseline, on_request, never), and how its tools are shown to a model (list, search).

alter table toolsets add column "grant" text not null default 'never';
alter table toolsets add column exposure text not null default 'list';
alter table toolsets add column pinned_tool_ids text[] not null default '{}';
