// How many of each resource a project may have, so that no key can fill the disk.

import { MAX_HOOKS } from '@toolgate/contract/hooks/rules.ts';
import { MAX_LIMITS } from '@toolgate/contract/limits/rules.ts';
import { MAX_MCP_SERVERS } from '@toolgate/contract/mcp-servers/rules.ts';
import { MAX_TOOLSETS } from '@toolgate/contract/toolsets/rules.ts';
import type { App } from '../app.ts';
import { refuse } from '../errors/errors.ts';

const limits = {
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

/** Call it before a creation. Concurrent creations may exceed the limit by a few. */
export async function refuseBeyondLimit(app: App, table: keyof typeof limits, project_id: string): Promise<void> {
  const { max, plural } = limits[table];
  const { count } = await app.database
    .selectFrom(table)
    .select((of) => of.fn.countAll<string>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow();
  if (Number(count) < max) return;
  throw refuse.limitReached({
    details: {
      limit: max,
      reason: `too_many_${table}` as const,
      remedy: `Delete ${plural} that are not used: a project has at most ${max}.`,
    },
  });
}
