-- Single sign-on: where the people of an organization sign in, and the accounts that come from there.

create table organization_sso (
  organization_id text primary key references organizations (id),
  issuer text not null,
  client_id text not null,
  -- Sealed, bound to the issuer: changed in the database, the secret cannot be opened and is not sent there.
  client_secret text not null,
  role_claim text not null,
  role_map jsonb not null,
  -- Null: a person whom role_map gives no role is refused.
  default_role text check (default_role in ('owner', 'admin', 'developer', 'viewer')),
  is_required boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

-- A domain belongs to one organization: the domain of an email address decides where its person signs in.
create table organization_domains (
  domain text primary key,
  organization_id text not null references organization_sso (organization_id) on delete cascade,
  position integer not null
);

create index organization_domains_of on organization_domains (organization_id);

-- An account of single sign-on is known by issuer and subject, never by its email address. Its password_hash is one that no
-- password has.
alter table accounts add column sso_issuer text;
alter table accounts add column sso_subject text;
-- An owner who may use a password while single sign-on is required.
alter table accounts add column is_break_glass boolean not null default false;

-- At most one row for each: accounts are created under the lock of the people of their organization.
create index accounts_sso on accounts (organization_id, sso_issuer, sso_subject) where sso_subject is not null;

-- Sign-ins and tests in progress, in one browser.
create table sso_requests (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  purpose text not null check (purpose in ('sign_in', 'test', 'link')),
  browser_hash bytea not null check (length(browser_hash) = 32),
  -- The state sent to the provider. Null after its one use.
  state_hash bytea unique check (length(state_hash) = 32),
  -- Of a test: the settings that are tested, with the sealed secret, and the steps so far.
  settings jsonb,
  steps jsonb,
  -- Of a link: who signed in at the provider, and the account with the same email address.
  identity jsonb,
  account_id text references accounts (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);

create index sso_requests_expired on sso_requests (expires_at);
create index sso_requests_of_browser on sso_requests (browser_hash);
create index sso_requests_of_organization on sso_requests (organization_id);
create index sso_requests_of_account on sso_requests (account_id);
