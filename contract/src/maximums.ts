// How many of a resource a project may have, so that no key can fill the disk. By the table that has them.

import type { ReasonRow } from './error-row.ts';
import { MAX_HOOKS } from './hooks/rules.ts';
import { MAX_LIMITS } from './limits/rules.ts';
import { MAX_MCP_SERVERS } from './mcp-servers/rules.ts';
import { MAX_TOOLSETS } from './toolsets/rules.ts';

export const maximums = {
  api_keys: { max: 10_000, plural: 'API keys' },
  assertion_keys: { max: 1_000, plural: 'assertion keys' },
  hooks: { max: MAX_HOOKS, plural: 'hooks' },
  integrations: { max: 1_000, plural: 'integrations' },
  oauth_clients: { max: 1_000, plural: 'OAuth clients' },
  mcp_servers: { max: MAX_MCP_SERVERS, plural: 'MCP servers' },
  tool_limits: { max: MAX_LIMITS, plural: 'limits' },
  toolsets: { max: MAX_TOOLSETS, plural: 'toolsets' },
  oauth_providers: { max: 50, plural: 'OAuth providers' },
} as const;

type Limited = keyof typeof maximums;

/** Such as `too_many_hooks`. */
export const maximumReasons = Object.fromEntries(
  Object.entries(maximums).map(([table, { max, plural }]) => [
    `too_many_${table}`,
    {
      cause: `The project has as many ${plural} as it may have: ${max}.`,
      remedy: `Delete ${plural} that are not used: a project has at most ${max}.`,
    },
  ]),
) as { readonly [Table in Limited as `too_many_${Table}`]: ReasonRow };
