// The `state` of a sign-in that only says who somebody is: who they have to be, and where they go on. Signed, bound to the browser,
// valid for 10 minutes. Nothing is stored for it.

import { createHmac } from 'node:crypto';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { randomSecret, sameBytes } from '../../../secrets/tokens.ts';
import type { Visitor } from './browser.ts';
import type { MemberRef } from './member-proof.ts';

const LIFETIME_MS = 10 * 60_000;
const STATE = /^identify\.(prj_[0-9A-Za-z]{22})\.([\w-]+)\.([\w-]{43})$/;

/** `next`: a path of this server. */
export type Identify = MemberRef & { provider_id: string; next: string };

export const isIdentifyState = (state: string) => STATE.test(state);

export async function identifyState(app: App, visitor: Visitor, identify: Identify): Promise<string> {
  const { project_id, ...rest } = identify;
  const sealed = { ...rest, random: randomSecret(16), expires_at: app.now() + LIFETIME_MS };
  const text = `${project_id}.${Buffer.from(JSON.stringify(sealed)).toString('base64url')}`;
  return `identify.${text}.${await mac(app, project_id, visitor, text)}`;
}

/** Refuses a state that is forged, of another browser, or expired. */
export async function readIdentifyState(app: App, visitor: Visitor, state: string): Promise<Identify> {
  const [, project_id, content, given] = STATE.exec(state) ?? [];
  if (!project_id || !content || !given || visitor.browser === '') throw refuse.signInExpired();
  const expected = await mac(app, project_id, visitor, `${project_id}.${content}`);
  if (!sameBytes(Buffer.from(expected), Buffer.from(given))) throw refuse.signInExpired();
  const { expires_at, member_id, provider_id, next } = JSON.parse(Buffer.from(content, 'base64url').toString());
  if (expires_at <= app.now()) throw refuse.signInExpired();
  return { project_id, member_id, provider_id, next };
}

async function mac(app: App, project_id: string, { browser }: Visitor, text: string): Promise<string> {
  const key = await app.secrets.deriveKey(app.database, project_id, 'identify state v1');
  return createHmac('sha256', key).update(`${browser} ${text}`).digest('base64url');
}
