// Where members sign in for an MCP server with `member_oauth`: it follows the server.

import type { Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { deleteServerProvider, saveServerProvider } from '../../oauth/providers/server-provider.ts';
import type { ServerRow } from './mcp-server.ts';

/** In the transaction that saves the server. `secret`: as it was given; undefined: it stays. */
export async function saveMemberSignIn(
  app: App,
  caller: Caller,
  { old, saved, secret }: { old: ServerRow | null; saved: ServerRow; secret: string | null | undefined },
): Promise<void> {
  const had = old?.auth_strategy === 'member_oauth';
  if (saved.auth_strategy !== 'member_oauth') {
    if (had) await deleteServerProvider(app, saved);
    return;
  }
  const is_other =
    !had || old.url !== saved.url || JSON.stringify(old.auth_config) !== JSON.stringify(saved.auth_config);
  await saveServerProvider(app, caller, saved, { secret: had ? secret : (secret ?? null), is_other });
  app.changes.add(saved.project_id);
}
