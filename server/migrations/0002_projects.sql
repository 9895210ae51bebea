-- Projects: what almost every other row belongs to.

create table projects (
  id text primary key,
  organization_id text not null references organizations (id),
  name text not null,
  environment text not null check (environment in ('development', 'production')),
  plan text not null check (plan in ('free', 'pro', 'enterprise')),
  requests_per_hour integer check (requests_per_hour > 0),
  settings jsonb not null default '{}',
  -- A quota group is a project and the siblings that its keys made. It shares one hour of requests. This is the id of its first
  -- project, without a reference: the group outlives its first project.
  quota_group_id text not null,
  -- Created with the root key, or with a key of such a project.
  is_made_by_operator boolean not null default false,
  -- The unit of fair shares of the database, of outgoing calls and of jobs: an organization can have many projects, so that a
  -- share for each of them would have no end. Projects of the operator stand for customers, so these have a share for each
  -- quota group.
  fairness_key text not null
    generated always as (case when is_made_by_operator then quota_group_id else organization_id end) stored,
  -- People put projects away that they do not work on. Nothing else changes for such a project.
  is_archived boolean not null default false,
  -- When a model first connected to the project over MCP.
  mcp_connected_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- A deleted project is out of reach at once; its rows are kept until the events about it are delivered.
  deleted_at timestamptz
);

create index projects_newest on projects (created_at desc, id desc) where deleted_at is null;
create index projects_of_quota_group on projects (quota_group_id) where deleted_at is null;
