-- Invitations to an organization. Only the hash of the link's token is stored.

create table invitations (
  id text primary key,
  organization_id text not null references organizations (id),
  email text not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  hash bytea not null unique check (length(hash) = 32),
  -- An invitation ends with the person who made it: nobody who was removed keeps a way in.
  created_by text not null references accounts (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  unique (organization_id, email)
);

create index invitations_newest on invitations (organization_id, created_at desc, id desc);
create index invitations_of_account on invitations (created_by);
