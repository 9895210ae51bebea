// How the tools of one import authenticate where the document decides it: each operation with a scheme that has a secret.

import { z } from 'zod';
import { ApiError, describeRefusal, invalidField } from '../../../errors.ts';
import { DEFAULT_KEY_HEADER, type SecretState } from '../auth-rules.ts';
import type { SchemaObject } from '../schema/keywords.ts';
import { type Definition, toolSchema } from '../tool.ts';
import type { ImportOptions } from './options.ts';
import {
  authFor,
  credentialNames,
  readSchemes,
  requirementsOf,
  type SchemeSecret,
  type SecurityScheme,
  schemeSecrets,
} from './security.ts';

type Auth = Pick<Definition, 'auth_strategy' | 'auth_config'>;

export const shownScheme = z
  .strictObject({
    name: z.string().meta({ description: 'Its name in the document', example: 'bearerAuth' }),
    type: z.string().meta({ description: 'What it is, in words of OpenAPI', example: 'http bearer' }),
    auth_strategy: toolSchema.shape.auth_strategy
      .nullable()
      .meta({ description: 'The strategy of tools that use it; null if there is none' }),
    reason: z.string().nullable().meta({ description: 'Why there is no strategy for it' }),
    tools: z.int().meta({ description: 'How many of the tools could use it' }),
    has_secret: z.boolean().meta({ description: 'Whether this import gave a secret for it' }),
  })
  .meta({ id: 'ToolImportSecurityScheme' });

export type ShownScheme = z.infer<typeof shownScheme>;

export type ImportSecurity = {
  schemes: ReadonlyMap<string, SecurityScheme>;
  secrets: ReadonlyMap<string, SchemeSecret>;
  /** Headers and cookies that authenticate, in lower case: no arguments of a tool. */
  credentials: ReadonlySet<string>;
  authOf(operation: SchemaObject): (Auth & { scheme: string; secret: SecretState }) | null;
  countTool(operation: SchemaObject): void;
  tools: Map<string, number>;
};

/** `check` throws for a strategy or secret that no tool can have: that is a refusal, not a reason to skip every operation. */
export function readSecurity(
  document: SchemaObject,
  options: ImportOptions,
  check: (auth: Auth, secret: SecretState) => void,
): ImportSecurity {
  const schemes = readSchemes(document);
  const secrets = schemeSecrets(schemes, options);
  for (const [name, { secret, client_id }] of secrets)
    checkScheme(schemes.get(name) as SecurityScheme, client_id, secret, options, check);
  const credentials = credentialNames(document);
  if (options.auth_strategy === 'api_key_header')
    credentials.add((options.auth_config?.header_name ?? DEFAULT_KEY_HEADER).toLowerCase());
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
  { auth_secrets }: ImportOptions,
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

export function showSchemes({ schemes, secrets, tools }: ImportSecurity): ShownScheme[] {
  return [...schemes.values()].map(({ name, type, auth, reason }) => ({
    ...{ name, type, reason },
    auth_strategy: auth?.auth_strategy ?? null,
    tools: tools.get(name) ?? 0,
    has_secret: secrets.has(name),
  }));
}
