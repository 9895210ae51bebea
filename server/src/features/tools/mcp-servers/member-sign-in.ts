// Where members sign in for an MCP server with `member_oauth`: it follows the server.

import type { PinnedIssuer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import type { Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { normalizeIssuer } from '../../../openid/issuer.ts';
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
  const pin = had ? changedPin(old, saved) : pinFor(saved);
  await saveServerProvider(app, caller, saved, { secret: had ? secret : (secret ?? null), is_other, pin });
  app.changes.add(saved.project_id);
}

/** Null: the issuer that is found first. */
function pinFor({ auth_config: { issuer } }: ServerRow): PinnedIssuer | null {
  if (issuer === undefined) return null;
  return { issuer: normalizeIssuer(issuer), authorization_endpoint: null, token_endpoint: null };
}

/** Undefined: it stays. What was found at another host says nothing about this one. */
function changedPin(old: ServerRow, saved: ServerRow): PinnedIssuer | null | undefined {
  const isOtherIssuer = old.auth_config.issuer !== saved.auth_config.issuer;
  const isOtherHost = new URL(old.url).origin !== new URL(saved.url).origin && saved.auth_config.issuer === undefined;
  return isOtherIssuer || isOtherHost ? pinFor(saved) : undefined;
}
