// The shape of the tables that secrets/ keeps its keys in.

import type { ColumnType, Kysely } from 'kysely';

export interface SecretsTables {
  master_key_checks: { master_key_id: string; check_value: Buffer; created_at: Made };
  data_keys: {
    id: string;
    project_id: string | null;
    master_key_id: string;
    wrapped_key: Buffer;
    uses: ColumnType<number, number | undefined, number>;
    created_at: Made;
    retired_at: string | null;
  };
  audit_keys: { id: string; sealed: string; created_at: Made };
  encryption_keys: {
    id: string;
    project_id: string;
    public_jwk: ColumnType<PublicJwk, string, never>;
    private_sealed: string;
    created_at: Made;
    retired_at: string | null;
  };
}

export type SecretsDatabase = Kysely<SecretsTables>;

export type PublicJwk = { kty: 'EC'; crv: 'P-256'; x: string; y: string };

/** Set by the database unless given. */
type Made = ColumnType<string, string | undefined, string>;
