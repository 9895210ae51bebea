// The fields of an OAuth client that is a machine: who uses the client, and how it proves who it is.

import { defaultGrantTypes, type OAuthGrantType } from '@toolgate/contract/oauth-clients/rules.ts';
import type { OAuthClient } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { SelectField, TextareaField, TextField } from '../../ui/forms/field.tsx';

const uses = ['people', 'machine', 'both', 'exchange'] as const;
const proofs = ['secret', 'jwks', 'jwks_uri'] as const;

export const machineFields = {
  used_by: z.enum(uses),
  proves_with: z.enum(proofs),
  /** JSON. */
  jwks: z.string(),
  jwks_uri: z.string().check(z.trim()),
};

type Values = { used_by: (typeof uses)[number]; proves_with: (typeof proofs)[number]; jwks: string; jwks_uri: string };

export type MachineFields = Pick<OAuthClient, 'grant_types' | 'jwks' | 'jwks_uri'>;

const grantTypes: Record<Values['used_by'], readonly OAuthGrantType[]> = {
  people: defaultGrantTypes,
  machine: ['client_credentials'],
  both: [...defaultGrantTypes, 'client_credentials'],
  exchange: [],
};

/** Such a client needs redirect URIs. */
export const signsPeopleIn = (used_by: Values['used_by']) => used_by === 'people' || used_by === 'both';

/** For a new client, or for one that is edited. */
export function machineValues(client: OAuthClient | null): Values {
  const { grant_types, jwks, jwks_uri } = client ?? { grant_types: [...defaultGrantTypes], jwks: null, jwks_uri: null };
  const signs_in = grant_types.includes('authorization_code');
  const is_machine = grant_types.includes('client_credentials');
  const proof = jwks_uri === null ? 'secret' : 'jwks_uri';
  return {
    used_by: signs_in ? (is_machine ? 'both' : 'people') : is_machine ? 'machine' : 'exchange',
    proves_with: jwks === null ? proof : 'jwks',
    jwks: jwks === null ? '' : JSON.stringify(jwks, null, 2),
    jwks_uri: jwks_uri ?? '',
  };
}

/** As the API takes them. Text that is not JSON is sent as it is: the API names the field. */
export function readMachine({ used_by, proves_with, jwks, jwks_uri }: Values): MachineFields {
  return {
    grant_types: [...grantTypes[used_by]],
    jwks: proves_with === 'jwks' ? readJson(jwks) : null,
    jwks_uri: proves_with === 'jwks_uri' ? jwks_uri : null,
  };
}

function readJson(text: string): MachineFields['jwks'] {
  try {
    return JSON.parse(text) as MachineFields['jwks'];
  } catch {
    return text as unknown as MachineFields['jwks'];
  }
}

export function UsedByField() {
  return (
    <SelectField
      name="used_by"
      label="Used by"
      options={[
        { value: 'people', label: 'People who sign in' },
        { value: 'machine', label: 'A machine, for itself' },
        { value: 'both', label: 'People and a machine' },
        { value: 'exchange', label: 'People whom a company manages (ID-JAG)' },
      ]}
      hint="Machines get sessions without a member (client_credentials)."
    />
  );
}

export function KeysFields({ proves_with }: Pick<Values, 'proves_with'>) {
  return (
    <>
      <SelectField
        name="proves_with"
        label="Authenticates with"
        options={[
          { value: 'secret', label: 'A secret' },
          { value: 'jwks', label: 'Keys (private_key_jwt)' },
          { value: 'jwks_uri', label: 'Keys at a URL (private_key_jwt)' },
        ]}
        hint="With keys, toolgate stores no secret that could leak."
      />
      {proves_with === 'jwks' && (
        <TextareaField
          name="jwks"
          label="Public keys"
          mono
          placeholder={'{"keys": [{"kty": "EC", "crv": "P-256", …}]}'}
          hint="A JSON Web Key Set, without private parts."
        />
      )}
      {proves_with === 'jwks_uri' && (
        <TextField
          name="jwks_uri"
          label="URL of the keys"
          type="url"
          autoComplete="off"
          placeholder="https://app.example.com/jwks.json"
          hint="Fetched when needed, and cached for 10 minutes."
        />
      )}
    </>
  );
}
