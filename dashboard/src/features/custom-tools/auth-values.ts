// How a tool or an MCP server authenticates, as fields of its form, and back. A stored secret is empty there.

import { type AuthStrategy, authStrategies, strategiesWithoutSecret } from '@toolgate/contract/custom-tools/rules.ts';
import { serverAuthStrategies } from '@toolgate/contract/mcp-servers/rules.ts';
import * as z from 'zod/mini';

/** What authenticates. An MCP server has fewer strategies, and its authorization server is found by itself. */
export type AuthTarget = 'tool' | 'mcp_server';

const strategyWords: Record<AuthStrategy, string> = {
  none: 'None',
  bearer_token: 'Bearer token',
  api_key_header: 'API key in a header',
  api_key_query: 'API key in the query',
  basic: 'Basic (user and password)',
  hmac_signature: 'Signed requests (HMAC)',
  oauth2_client_credentials: 'OAuth 2 client credentials',
  member_oauth: "The member's own OAuth account",
  member_jwt: 'A signed JWT about the member',
  token_exchange: 'Token exchange for the member',
};

export const strategyText = (strategy: AuthStrategy) => strategyWords[strategy];

const strategies: Record<AuthTarget, readonly AuthStrategy[]> = {
  tool: authStrategies,
  mcp_server: serverAuthStrategies,
};

export const strategiesOf = (target: AuthTarget) =>
  strategies[target].map((value) => ({ value, label: strategyWords[value] }));

/** A client at the authorization server of an MCP server may have a secret. */
export const hasSecret = (strategy: AuthStrategy, target: AuthTarget = 'tool') =>
  !strategiesWithoutSecret.includes(strategy) || (target === 'mcp_server' && strategy === 'member_oauth');

export const authFields = {
  auth_strategy: z.enum(authStrategies),
  auth_config: z.object({
    header_name: z.string(),
    parameter_name: z.string(),
    token_url: z.string(),
    client_id: z.string(),
    issuer: z.string(),
    scope: z.string(),
    audience: z.string(),
    oauth_provider_id: z.string(),
  }),
  encrypted_auth_secret: z.string(),
};

const authSchema = z.object(authFields);

export type AuthValues = z.infer<typeof authSchema>;

type Config = Partial<AuthValues['auth_config']>;
type Stored = { auth_strategy: AuthStrategy; auth_config: Config };

export const authValuesOf = (stored: Stored | null): AuthValues => ({
  auth_strategy: stored?.auth_strategy ?? 'none',
  auth_config: {
    header_name: '',
    parameter_name: '',
    token_url: '',
    client_id: '',
    issuer: '',
    scope: '',
    audience: '',
    oauth_provider_id: '',
    ...stored?.auth_config,
  },
  encrypted_auth_secret: '',
});

const usedConfig: Partial<Record<AuthStrategy, (keyof AuthValues['auth_config'])[]>> = {
  api_key_header: ['header_name'],
  api_key_query: ['parameter_name'],
  oauth2_client_credentials: ['token_url', 'client_id', 'scope'],
  member_oauth: ['oauth_provider_id'],
  member_jwt: ['audience'],
  token_exchange: ['token_url', 'client_id', 'audience', 'scope'],
};

/** What the strategy uses. The secret only if one was typed: an empty field keeps the stored one. */
export function authFieldsOf(
  { auth_strategy, auth_config, encrypted_auth_secret }: AuthValues,
  target: AuthTarget = 'tool',
): Stored & { encrypted_auth_secret?: string } {
  const isDiscovered = target === 'mcp_server' && auth_strategy === 'member_oauth';
  const used = isDiscovered ? (['client_id', 'issuer', 'scope'] as const) : (usedConfig[auth_strategy] ?? []);
  const given = used.filter((name) => auth_config[name] !== '').map((name) => [name, auth_config[name]]);
  return {
    auth_strategy,
    auth_config: Object.fromEntries(given) as Config,
    ...(hasSecret(auth_strategy, target) && encrypted_auth_secret !== '' && { encrypted_auth_secret }),
  };
}
