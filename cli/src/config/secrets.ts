// The secrets of a file. The file has only the name of an environment variable: ${NAME}.

import { environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import type { Fields, Section } from './sections.ts';
import type { Existing } from './state.ts';

const WITHOUT_SECRET = ['none', 'member_oauth'];

/** An object: the headers of a webhook. */
export type Secret = string | Record<string, string>;

/** The entry without its secret, and the secret from the environment; undefined if the entry has none. */
export function takeSecret(section: Section, entry: Fields): { fields: Fields; secret: Secret | undefined } {
  const { secret: field, key, name } = section;
  if (field === undefined || !(field in entry)) return { fields: entry, secret: undefined };
  const { [field]: written, ...fields } = entry;
  const place = `${name} ${entry[key]}: ${field}`;
  if (typeof written !== 'object' || written === null) return { fields, secret: readVariable(place, written) };
  const parts = Object.entries(written).map(([part, each]) => [part, readVariable(`${place}.${part}`, each)]);
  return { fields, secret: Object.fromEntries(parts) };
}

function readVariable(place: string, written: unknown): string {
  const variable = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(String(written))?.[1];
  if (variable === undefined)
    throw new Failure(
      `${place} must be \${NAME}, the name of an environment variable: a secret does not belong in a file.`,
    );
  const secret = environment[variable];
  if (!secret) throw new Failure(`${place}: the environment has no ${variable}.`);
  return secret;
}

/** Refuses before anything is changed what the API would refuse later. */
export function refuseWithoutSecret(section: Section, fields: Fields, existing: Existing | undefined): void {
  if (!needsSecret(section, fields, existing)) return;
  const { secret: field, key, name } = section;
  throw new Failure(`${name} ${fields[key]} needs a secret. Add "${field}: \${NAME}" and set NAME in the environment.`);
}

function needsSecret({ name, secret }: Section, fields: Fields, existing: Existing | undefined): boolean {
  // A webhook need not have headers.
  if (secret === undefined || name === 'webhooks') return false;
  if (name !== 'tools') return existing === undefined;
  const { resource } = existing ?? { resource: { auth_strategy: 'none' } as Fields };
  const strategy = fields.auth_strategy ?? resource.auth_strategy;
  if (WITHOUT_SECRET.includes(String(strategy))) return false;
  if (strategy !== resource.auth_strategy || !resource.has_auth_secret) return true;
  // A secret is not sent to another host than the one it was given for. A signing secret is never sent.
  const isMoved = fields.base_url !== undefined && fields.base_url !== resource.base_url;
  return isMoved && strategy !== 'hmac_signature';
}
