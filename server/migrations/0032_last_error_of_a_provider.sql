-- Why a sign-in at the provider last failed: code, reason, created_at. Null: the last one succeeded, or there was none.

alter table oauth_providers add column last_error jsonb;
