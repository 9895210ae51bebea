// The secrets of a file. The file has only the name of an environment variable, ${NAME}, which the command line has to allow.

import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import type { Request } from '../operation.ts';
import { visibleName } from '../visible.ts';
import { PREFIX, refuseVariable } from './allowed-variables.ts';
import { type Fields, isObject } from './comparable.ts';
import type { Section } from './sections.ts';
import type { Existing } from './state.ts';

type AuthStrategy = NonNullable<Request<'createCustomTool'>['auth_strategy']>;

const WITHOUT_SECRET: readonly unknown[] = ['none', 'member_oauth', 'member_jwt'] satisfies AuthStrategy[];
/** Their secret goes to the token endpoint, and the token that it is exchanged for to the API. */
const WITH_TOKEN_URL: readonly unknown[] = ['oauth2_client_credentials', 'token_exchange'] satisfies AuthStrategy[];

/** An object: the headers of a webhook. */
type Secret = string | Record<string, string>;

/** A secret with the field that it is for. */
export type GivenSecret = { field: string; value: Secret };

/** Which variable goes to which host, for people to read before it does. */
export type SecretUse = { variable: string; host: string; entry: string; field: string };

/** The environment variables, and those that the file may name besides those with the prefix. */
export type Variables = { environment: Context['environment']; allowed: readonly string[] };

type Taken = { fields: Fields; secret: GivenSecret | undefined; uses: SecretUse[] };

/** The entry without its secret, and the secret from the environment; undefined if the entry has none. */
export function takeSecret(
  section: Section,
  entry: Fields,
  existing: Existing | undefined,
  { environment, allowed }: Variables,
): Taken {
  const { secrets = [], key, name } = section;
  const field = secrets.find((each) => each in entry);
  if (field === undefined) return { fields: entry, secret: undefined, uses: [] };
  const { [field]: written, ...fields } = entry;
  const host = hostOf({ ...existing?.resource, ...fields });
  const uses: SecretUse[] = [];
  const read = (part: string, text: unknown) => {
    const place = `${name} ${visibleName(String(entry[key]))}: ${visibleName(part)}`;
    const variable = variableOf(place, text);
    refuseVariable(variable, allowed, place, host);
    uses.push({ variable, host, entry: `${name} ${entry[key]}`, field: part });
    const secret = environment[variable];
    if (!secret) throw new Failure(`${place}: the environment variable ${variable} is not set.`);
    return secret;
  };
  if (typeof written !== 'object' || written === null)
    return { fields, secret: { field, value: read(field, written) }, uses };
  const parts = Object.entries(written).map(([part, each]) => [part, read(`${field}.${part}`, each)]);
  return { fields, secret: { field, value: Object.fromEntries(parts) }, uses };
}

function variableOf(place: string, written: unknown): string {
  const variable = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(String(written))?.[1];
  if (variable !== undefined) return variable;
  throw new Failure(
    `${place} must be \${NAME}, the name of an environment variable: a secret does not belong in a file.`,
  );
}

/** The host that gets the secret of an entry. The well-known providers have no URL in the file. */
function hostOf(fields: Fields): string {
  const { base_url, url, endpoint, issuer, provider } = fields;
  const destination = tokenUrlOf(fields) ?? issuerOf(fields) ?? base_url ?? url ?? endpoint ?? issuer;
  if (typeof destination !== 'string') return visibleName(String(provider ?? 'toolgate'));
  return visibleName(URL.parse(destination)?.host || destination);
}

/** Undefined if the strategy has none: whatever else the file or the server has there is not used. */
function tokenUrlOf({ auth_strategy, auth_config }: Fields): unknown {
  return WITH_TOKEN_URL.includes(auth_strategy) && isObject(auth_config) ? auth_config.token_url : undefined;
}

/** Where the client of an MCP server with member_oauth is registered. */
function issuerOf({ auth_strategy, auth_config }: Fields): unknown {
  return auth_strategy === 'member_oauth' && isObject(auth_config) ? auth_config.issuer : undefined;
}

/** Refuses before anything is changed what the API would refuse later. */
export function refuseWithoutSecret(section: Section, fields: Fields, existing: Existing | undefined): void {
  if (!needsSecret(section, fields, existing)) return;
  const { secrets = [], key, name } = section;
  const field = secrets.at(-1);
  const entry = `${name} ${visibleName(String(fields[key]))}`;
  throw new Failure(`${entry} requires a secret. Add "${field}: \${${PREFIX}NAME}" and set that environment variable.`);
}

const isText = (value: unknown) => typeof value === 'string';

function needsSecret({ name, secrets = [] }: Section, fields: Fields, existing: Existing | undefined): boolean {
  // A webhook need not have headers.
  if (secrets.length === 0 || name === 'webhooks') return false;
  if (name === 'certificates') return existing === undefined && isText(fields.client_certificate);
  if (name === 'log_streams') return existing === undefined && fields.kind === 's3';
  if (name !== 'tools' && name !== 'mcp_servers') return existing === undefined;
  const resource: Fields = existing?.resource ?? { auth_strategy: 'none' };
  const strategy = fields.auth_strategy ?? resource.auth_strategy;
  if (WITHOUT_SECRET.includes(strategy)) return false;
  if (strategy !== resource.auth_strategy || !resource.has_auth_secret) return true;
  // A signing secret is never sent.
  return strategy !== 'hmac_signature' && isMoved(resource, { ...resource, ...fields });
}

/** A secret is sent only where it was given for, and so is the token that it is exchanged for. */
function isMoved(before: Fields, after: Fields): boolean {
  const originOf = ({ base_url, url }: Fields) => URL.parse(String(base_url ?? url))?.origin;
  return originOf(after) !== originOf(before) || tokenUrlOf(after) !== tokenUrlOf(before);
}
