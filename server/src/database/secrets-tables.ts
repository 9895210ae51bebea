// The columns of the tables that hold the keys of secrets/.

import type { ColumnType, Kysely } from 'kysely';

export interface SecretsTables {
  master_key_checks: { master_key_id: string; check_value: Buffer; created_at: TimestampWithDefault };
  data_keys: {
    id: string;
    project_id: string | null;
    master_key_id: string;
    wrapped_key: Buffer;
    uses: ColumnType<number, number | undefined, number>;
    created_at: TimestampWithDefault;
    retired_at: string | null;
  };
  audit_keys: { id: string; sealed: string; created_at: TimestampWithDefault };
  encryption_keys: {
    id: string;
    project_id: string;
    public_jwk: ColumnType<PublicJwk, string, never>;
    private_sealed: string;
    created_at: TimestampWithDefault;
    retired_at: string | null;
  };
}

export type SecretsDatabase = Kysely<SecretsTables>;

export type PublicJwk = { kty: 'EC'; crv: 'P-256'; x: string; y: string };

/** Set by the database when not given. */
type TimestampWithDefault = ColumnType<string, string | undefined, string>;
