// How the tools of one import authenticate where the document decides it: each operation with a scheme that has a secret.

import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { rootOfName } from '@toolgate/contract/custom-tools/field-names.ts';
import type { ToolImportOptions, ToolImportSecurityScheme } from '@toolgate/contract/custom-tools/tool-import.ts';
import type { SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { ApiError, describeRefusal, invalidField } from '../../../errors/errors.ts';
import { DEFAULT_KEY_HEADER, keyParameterOf, type SecretState } from '../catalogue/auth-rules.ts';
import {
  authFor,
  type Credentials,
  credentialNames,
  readSchemes,
  requirementsOf,
  type SchemeSecret,
  type SecurityScheme,
  schemeSecrets,
} from './security.ts';

type Auth = Pick<CustomToolDefinition, 'auth_strategy' | 'auth_config'>;

export type ImportSecurity = {
  schemes: ReadonlyMap<string, SecurityScheme>;
  secrets: ReadonlyMap<string, SchemeSecret>;
  credentials: Credentials;
  authOf(operation: SchemaObject): (Auth & { scheme: string; secret: SecretState }) | null;
  countTool(operation: SchemaObject): void;
  tools: Map<string, number>;
};

/** `check` throws for a strategy or secret that no tool can have: that is a refusal, not a reason to skip every operation. */
export function readSecurity(
  document: SchemaObject,
  options: ToolImportOptions,
  check: (auth: Auth, secret: SecretState) => void,
): ImportSecurity {
  const schemes = readSchemes(document);
  const secrets = schemeSecrets(schemes, options);
  for (const [name, { secret, client_id }] of secrets)
    checkScheme(schemes.get(name) as SecurityScheme, client_id, secret, options, check);
  const credentials = credentialNames(document);
  if (options.auth_strategy === 'api_key_header')
    credentials.headers.add((options.auth_config?.header_name ?? DEFAULT_KEY_HEADER).toLowerCase());
  const { auth_strategy, auth_config = {} } = options;
  const parameter = auth_strategy && keyParameterOf({ auth_strategy, auth_config });
  if (parameter) credentials.query.add(rootOfName(parameter));
  const tools = new Map<string, number>();
  const needed = (operation: SchemaObject) => requirementsOf(schemes, document, operation);
  return {
    ...{ schemes, secrets, credentials, tools },
    authOf(operation) {
      const auth = authFor(needed(operation), secrets);
      return auth && { ...auth, secret: { exists: true, text: secrets.get(auth.scheme)?.secret ?? null } };
    },
    countTool(operation) {
      for (const { name } of new Set(needed(operation).map(({ scheme }) => scheme)))
        tools.set(name, (tools.get(name) ?? 0) + 1);
    },
  };
}

function checkScheme(
  { name, auth }: SecurityScheme,
  client_id: string | undefined,
  text: string,
  { auth_secrets }: ToolImportOptions,
  check: (auth: Auth, secret: SecretState) => void,
): void {
  if (!auth) return;
  const auth_config = { ...auth.auth_config, ...(client_id === undefined ? {} : { client_id }) };
  try {
    check({ ...auth, auth_config }, { exists: true, text });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    throw invalidField(auth_secrets ? `auth_secrets.${name}` : 'encrypted_auth_secret', describeRefusal(error));
  }
}

export function showSchemes({ schemes, secrets, tools }: ImportSecurity): ToolImportSecurityScheme[] {
  return [...schemes.values()].map(({ name, type, auth, reason }) => ({
    ...{ name, type, reason },
    auth_strategy: auth?.auth_strategy ?? null,
    tools: tools.get(name) ?? 0,
    has_secret: secrets.has(name),
  }));
}
