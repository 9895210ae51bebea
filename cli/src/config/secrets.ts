// The secrets of a file. The file has only the name of an environment variable: ${NAME}.

import { environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import type { Fields, Section } from './sections.ts';
import type { Existing } from './state.ts';

const WITHOUT_SECRET = ['none', 'member_oauth'];

/** The entry without its secret, and the secret from the environment; undefined if the entry has none. */
export function takeSecret(section: Section, entry: Fields): { fields: Fields; secret: string | undefined } {
  const { secret: field, key, name } = section;
  if (field === undefined || !(field in entry)) return { fields: entry, secret: undefined };
  const { [field]: written, ...fields } = entry;
  const variable = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(String(written))?.[1];
  const place = `${name} ${entry[key]}: ${field}`;
  if (variable === undefined)
    throw new Failure(
      `${place} must be \${NAME}, the name of an environment variable: a secret does not belong in a file.`,
    );
  const secret = environment[variable];
  if (!secret) throw new Failure(`${place}: the environment has no ${variable}.`);
  return { fields, secret };
}

/** Refuses before anything is changed what the API would refuse later. */
export function refuseWithoutSecret(section: Section, fields: Fields, existing: Existing | undefined): void {
  if (!needsSecret(section, fields, existing)) return;
  const { secret: field, key, name } = section;
  throw new Failure(`${name} ${fields[key]} needs a secret. Add "${field}: \${NAME}" and set NAME in the environment.`);
}

function needsSecret({ name, secret }: Section, fields: Fields, existing: Existing | undefined): boolean {
  if (secret === undefined) return false;
  if (name !== 'tools') return existing === undefined;
  const { resource } = existing ?? { resource: { auth_strategy: 'none' } as Fields };
  const strategy = fields.auth_strategy ?? resource.auth_strategy;
  if (WITHOUT_SECRET.includes(String(strategy))) return false;
  if (strategy !== resource.auth_strategy || !resource.has_auth_secret) return true;
  // A secret is not sent to another host than the one it was given for. A signing secret is never sent.
  const isMoved = fields.base_url !== undefined && fields.base_url !== resource.base_url;
  return isMoved && strategy !== 'hmac_signature';
}
