-- How OAuth clients get a toolset, and how its tools are shown to a model.

alter table toolsets add column "grant" text not null default 'never' check ("grant" in ('baseline', 'on_request', 'never'));
alter table toolsets add column exposure text not null default 'list' check (exposure in ('list', 'search'));
alter table toolsets add column pinned_tool_ids text[] not null default '{}';
