-- Where members sign in for an MCP server is pinned: the issuer, and the endpoints in its metadata. What the server names instead, and no admin
-- has approved, waits in found_issuer. Rows from before have no pin: without a client id their issuer counts, which was found first; with one
-- an admin has to name it.
alter table oauth_providers add column pinned_issuer json;
alter table oauth_providers add column found_issuer json;
-- Whether an event told of found_issuer.
alter table oauth_providers add column is_found_reported boolean not null default true;
