// The proof that a person signed in as a member in this browser: a cookie that is a MAC of both, for 15 to 30 minutes. A link that
// somebody holds does nothing without it.

import { createHmac } from 'node:crypto';
import { makeCookie } from '../../../api/cookies.ts';
import type { App } from '../../../app.ts';
import { sameBytes } from '../../../secrets/tokens.ts';
import type { Visitor } from './browser.ts';

export const MEMBER_COOKIE_NAME = 'toolgate_member';

const SLOT_MS = 15 * 60_000;

export type MemberRef = { project_id: string; member_id: string };

export async function proofCookie(app: App, visitor: Visitor, member: MemberRef): Promise<string> {
  const proof = await proofOf(app, visitor, member, slotOf(app));
  return makeCookie(app.config.public_url, MEMBER_COOKIE_NAME, proof, (2 * SLOT_MS) / 1000);
}

/** Whether the visitor signed in as this member. */
export async function isProven(app: App, visitor: Visitor, member: MemberRef): Promise<boolean> {
  const { browser, member_proof } = visitor;
  if (browser === '' || !member_proof) return false;
  for (const slot of [slotOf(app), slotOf(app) - 1]) {
    const expected = await proofOf(app, visitor, member, slot);
    if (sameBytes(Buffer.from(expected), Buffer.from(member_proof))) return true;
  }
  return false;
}

const slotOf = (app: App) => Math.floor(app.now() / SLOT_MS);

async function proofOf(app: App, { browser }: Visitor, { project_id, member_id }: MemberRef, slot: number) {
  const key = await app.secrets.deriveKey(app.database, project_id, 'member proof v1');
  return createHmac('sha256', key).update(`${browser} ${project_id} ${member_id} ${slot}`).digest('base64url');
}
