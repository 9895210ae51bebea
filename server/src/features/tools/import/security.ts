// The security schemes of a document → how its tools authenticate. A document has no secrets: a scheme is used where the import
// gives the secret for it (docs/design/tool-definitions.md).

import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { rootOfName } from '@toolgate/contract/custom-tools/field-names.ts';
import { headerNameProblem } from '@toolgate/contract/custom-tools/header-rules.ts';
import { isReserved } from '@toolgate/contract/custom-tools/reserved-variables.ts';
import { DEFAULT_KEY_PARAMETER } from '@toolgate/contract/custom-tools/rules.ts';
import type { ToolImportOptions } from '@toolgate/contract/custom-tools/tool-import.ts';
import { isObject, type SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { invalidField } from '../../../errors/errors.ts';
import { looksLikeJwe } from '../../../secrets/sealed-input.ts';
import { DEFAULT_KEY_HEADER } from '../catalogue/auth-rules.ts';

type Auth = Pick<CustomToolDefinition, 'auth_strategy' | 'auth_config'>;

export type SecurityScheme = {
  name: string;
  /** `http bearer`, `apiKey header`, `oauth2 clientCredentials`. */
  type: string;
  auth: Auth | null;
  /** Why it has no strategy. */
  reason: string | null;
};

const MOST_SCHEMES = 100;
const MOST_REQUIREMENTS = 20;
const LONGEST_NAME = 256;
const LONGEST_SCOPE = 1_024;

export function readSchemes({ components }: SchemaObject): Map<string, SecurityScheme> {
  const schemes = isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {};
  const entries = Object.entries(schemes).slice(0, MOST_SCHEMES);
  const isReadable = ([name, scheme]: [string, unknown]) => name.length <= LONGEST_NAME && isObject(scheme);
  return new Map(entries.filter(isReadable).map(([name, scheme]) => [name, readScheme(name, scheme as SchemaObject)]));
}

function readScheme(name: string, scheme: SchemaObject): SecurityScheme {
  const word = (value: unknown) => (typeof value === 'string' ? value.slice(0, 64) : '');
  const kind = word(scheme.type);
  const uses = (auth_strategy: Auth['auth_strategy'], type: string, auth_config: Auth['auth_config'] = {}) => ({
    ...{ name, type, auth: { auth_strategy, auth_config }, reason: null },
  });
  const cannot = (type: string, reason: string) => ({ name, type, auth: null, reason });
  if (kind === 'http') {
    const type = `http ${word(scheme.scheme).toLowerCase()}`;
    if (type === 'http bearer') return uses('bearer_token', type);
    return type === 'http basic' ? uses('basic', type) : cannot(type, 'no auth_strategy fits');
  }
  if (kind === 'apiKey') {
    const type = `apiKey ${word(scheme.in)}`;
    const header_name = word(scheme.name) || DEFAULT_KEY_HEADER;
    const problem = type === 'apiKey header' ? headerNameProblem(header_name) : null;
    if (problem !== null) return cannot(type, `its header ${problem}`);
    if (type === 'apiKey header') return uses('api_key_header', type, { header_name });
    if (type === 'apiKey query') {
      const parameter_name = word(scheme.name) || DEFAULT_KEY_PARAMETER;
      return isReserved(rootOfName(parameter_name))
        ? cannot(type, 'its parameter is set by toolgate')
        : uses('api_key_query', type, { parameter_name });
    }
    return cannot(type, 'no auth_strategy fits');
  }
  if (kind === 'oauth2') {
    const token_url = clientCredentialsUrl(scheme.flows);
    if (token_url !== null) return uses('oauth2_client_credentials', 'oauth2 clientCredentials', { token_url });
  }
  // What these flows end with is an access token.
  if (kind === 'oauth2' || kind === 'openIdConnect') return uses('bearer_token', kind);
  return cannot(kind, 'no auth_strategy fits');
}

function clientCredentialsUrl(flows: unknown): string | null {
  const flow = isObject(flows) ? flows.clientCredentials : undefined;
  const url = isObject(flow) ? flow.tokenUrl : undefined;
  return typeof url === 'string' && url.startsWith('https://') && url.length <= 2_048 ? url : null;
}

/** A scheme that is enough for an operation, with the scopes that the operation needs. */
type Requirement = { scheme: SecurityScheme; scopes: string[] };

/** In the order of the document. A tool cannot meet a requirement of several schemes at once. */
export function requirementsOf(
  schemes: ReadonlyMap<string, SecurityScheme>,
  document: SchemaObject,
  operation: SchemaObject,
): Requirement[] {
  const list = Array.isArray(operation.security) ? operation.security : document.security;
  return (Array.isArray(list) ? list : []).slice(0, MOST_REQUIREMENTS).flatMap((requirement) => {
    const entries = isObject(requirement) ? Object.entries(requirement) : [];
    const [name, scopes] = entries.length === 1 ? (entries[0] as [string, unknown]) : ['', []];
    const scheme = schemes.get(name);
    const texts = Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [];
    return scheme?.auth ? [{ scheme, scopes: texts }] : [];
  });
}

/** Where keys are sent, in lower case: no argument of a tool may be one. */
export type Credentials = { headers: Set<string>; query: Set<string> };

export function credentialNames(document: SchemaObject): Credentials {
  const { components } = document;
  const schemes = isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {};
  const credentials: Credentials = { headers: new Set(), query: new Set() };
  for (const scheme of Object.values(schemes).slice(0, MOST_SCHEMES)) {
    if (!isObject(scheme) || scheme.type !== 'apiKey' || typeof scheme.name !== 'string') continue;
    if (scheme.in === 'query') credentials.query.add(rootOfName(scheme.name));
    else credentials.headers.add(scheme.name.toLowerCase());
  }
  return credentials;
}

/** A secret for the tools of one scheme; `client_id` where the strategy has one. */
export type SchemeSecret = { secret: string; client_id?: string };

/** By name of the scheme. Throws for a secret that no scheme of the document could use. */
export function schemeSecrets(
  schemes: ReadonlyMap<string, SecurityScheme>,
  { auth_strategy, auth_secrets, encrypted_auth_secret }: ToolImportOptions,
): Map<string, SchemeSecret> {
  if (auth_strategy !== undefined) {
    if (auth_secrets !== undefined) throw invalidField('auth_secrets', 'must not be given together with auth_strategy');
    return new Map();
  }
  if (auth_secrets !== undefined && encrypted_auth_secret)
    throw invalidField('auth_secrets', 'must not be given together with encrypted_auth_secret');
  const given = encrypted_auth_secret
    ? [[onlyScheme(schemes), encrypted_auth_secret, 'encrypted_auth_secret'] as const]
    : Object.entries(auth_secrets ?? {}).map(([name, secret]) => [name, secret, `auth_secrets.${name}`] as const);
  return new Map(
    given.map(([name, secret, field]) => {
      const { auth, reason } = schemes.get(name) ?? { auth: null, reason: 'the document has no such security scheme' };
      if (!auth) throw invalidField(field.slice(0, 300), `cannot be used: ${reason}`);
      const isClient = auth.auth_strategy === 'oauth2_client_credentials';
      return [name, isClient ? splitClient(field, secret) : { secret }];
    }),
  );
}

function onlyScheme(schemes: ReadonlyMap<string, SecurityScheme>): string {
  const usable = [...schemes.values()].filter(({ auth }) => auth !== null);
  const [first] = usable;
  if (first && usable.length === 1) return first.name;
  throw invalidField(
    'encrypted_auth_secret',
    usable.length === 0
      ? 'is not used: set auth_strategy, because the document has no security scheme that tools can use'
      : 'is for one security scheme, but the document has several: use auth_secrets or auth_strategy',
  );
}

function splitClient(field: string, text: string): SchemeSecret {
  const [client_id = '', ...rest] = text.split(':');
  if (looksLikeJwe(text) || client_id === '' || rest.length === 0)
    throw invalidField(field, 'must be client_id:client_secret; for a JWE, use auth_strategy and auth_config instead');
  return { client_id, secret: rest.join(':') };
}

/** How the tool of an operation authenticates, or null: none of its requirements has a secret. */
export function authFor(
  requirements: Requirement[],
  secrets: ReadonlyMap<string, SchemeSecret>,
): (Auth & { scheme: string }) | null {
  const found = requirements.find(({ scheme }) => secrets.has(scheme.name));
  if (!found?.scheme.auth) return null;
  const { scheme, scopes } = found;
  const { auth_strategy, auth_config } = scheme.auth as Auth;
  const client_id = secrets.get(scheme.name)?.client_id;
  if (client_id === undefined) return { scheme: scheme.name, auth_strategy, auth_config };
  const scope = scopes.join(' ');
  const config = { ...auth_config, client_id, ...(scope === '' || scope.length > LONGEST_SCOPE ? {} : { scope }) };
  return { scheme: scheme.name, auth_strategy, auth_config: config };
}
