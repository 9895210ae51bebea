// Approvals: a person let a client in, in one browser. They are asked for before the sign-in, when only the browser is known: an
// attacker's client must not get a code because the person is signed in at the provider already (confused deputy).

import type { Scope } from '@toolgate/contract/permissions.ts';
import type { ApprovedToolsets } from '../../../access/grant-layer.ts';
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

/** `toolsets`: null if every tool was approved. */
export type Approval = { scopes: Scope[]; toolsets: ApprovedToolsets };

/** What the client was approved for, with this redirect URI. */
export async function findApproval(app: App, client: ApprovedClient): Promise<Approval | null> {
  const approval = await selectApproval(app.database, client, new Date(app.now()).toISOString());
  return approval?.redirect_uri === client.redirect_uri ? approval : null;
}

/** The toolsets that were approved one by one. They stay approved when more are. */
export const keptToolsets = (approval: Approval | null) => approval?.toolsets ?? {};

/**
 * `toolsets`: those that are approved now; null: every tool. What was approved before stays approved, and belongs to the person who
 * did: another one is asked for all of it.
 */
export async function approveClient(app: App, client: ApprovedClient, toolsets: ApprovedToolsets): Promise<void> {
  const expires_at = new Date(app.now() + LIFETIME_MS).toISOString();
  const kept = toolsets ? keptToolsets(await findApproval(app, client)) : {};
  const all = toolsets && { ...kept, ...toolsets };
  await upsertApproval(app.database, { ...client, toolsets: all, expires_at }, Object.keys(kept).length > 0);
}

/**
 * Ties the approval to the person who signed in. Returns null, and ends the approval, if it is another person's: people who
 * share a browser approve for themselves.
 */
export async function claimFor(
  app: App,
  client: Pick<ApprovedClient, 'project_id' | 'browser_hash' | 'client_id'>,
  member_id: string,
): Promise<Pick<Approval, 'toolsets'> | null> {
  const claimed = await claimApproval(app.database, client, member_id);
  if (claimed) return claimed;
  await deleteApproval(app.database, client);
  return null;
}
