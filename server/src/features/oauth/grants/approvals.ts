// Approvals: a person let a client in, in one browser. They are asked for before the sign-in, when only the browser is known: an
// attacker's client must not get a code because the person is signed in at the provider already (confused deputy).

import type { Scope } from '@toolgate/contract/permissions.ts';
import type { App } from '../../../app.ts';
import { claimApproval, deleteApproval, selectApproval, upsertApproval } from './approval-store.ts';

const LIFETIME_MS = 90 * 86_400_000;

export type ApprovedClient = {
  project_id: string;
  browser_hash: Buffer;
  client_id: string;
  /** Without the port of a loopback address. */
  redirect_uri: string;
  scopes: Scope[];
};

/** Whether the client was approved for at least these scopes, and for this redirect URI. */
export async function isApproved(app: App, client: ApprovedClient): Promise<boolean> {
  const approval = await selectApproval(app.database, client, new Date(app.now()).toISOString());
  if (!approval || approval.redirect_uri !== client.redirect_uri) return false;
  return client.scopes.every((scope) => approval.scopes.includes(scope));
}

export async function approveClient(app: App, client: ApprovedClient): Promise<void> {
  const expires_at = new Date(app.now() + LIFETIME_MS).toISOString();
  await upsertApproval(app.database, { ...client, expires_at });
}

/**
 * Ties the approval to the person who signed in. Returns false, and ends the approval, if it is another person's: people who
 * share a browser approve for themselves.
 */
export async function claimFor(
  app: App,
  client: Pick<ApprovedClient, 'project_id' | 'browser_hash' | 'client_id'>,
  member_id: string,
): Promise<boolean> {
  if (await claimApproval(app.database, client, member_id)) return true;
  await deleteApproval(app.database, client);
  return false;
}
