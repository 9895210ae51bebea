// The URLs at which a member connects an account, signed and bound to the member and the provider. A link is for who can sign in
// as that member first, for 15 minutes and until the connection is saved. A URL that the customer's backend asked for works once,
// for 5 minutes: the backend says who gets it.

import { createHmac, type KeyObject } from 'node:crypto';
import type { MemberCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { randomSecret, sameBytes } from '../../../secrets/tokens.ts';
import { findAnyProvider } from '../providers/find.ts';
import { pinText } from '../providers/pinned-issuer.ts';
import type { Provider } from '../providers/provider.ts';

const LIFETIME_MS = 15 * 60_000;
const ONCE_LIFETIME_MS = 5 * 60_000;
const FORMAT =
  /^(?:once-([\w-]{22})\.)?(prj_[0-9A-Za-z]{22})\.(oap_[0-9A-Za-z]{22})\.(mem_[0-9A-Za-z]{22})\.(\d{13})\.([\w-]{43})$/;
const STATE = /^connect\.([\w-]{22})\.(.+)\.([\w-]{43})$/;

export type ConnectLink = {
  provider: Provider;
  project_id: string;
  member_id: string;
  created_at: number;
  /** For a URL that works once: the customer's backend vouches for who opens it. Null: who opens it has to sign in first. */
  once: string | null;
};

/** The link. Null if nobody can sign in at the provider now. */
export async function createConnectLink(
  app: App,
  { project, member_id }: Pick<MemberCaller, 'project' | 'member_id'>,
  provider: Pick<Provider, 'id' | 'is_enabled'>,
): Promise<string | null> {
  if (!provider.is_enabled) return null;
  return addressOf(app, `${project.id}.${provider.id}.${member_id}.${Math.floor(app.now())}`, project.id);
}

export async function createOneTimeAddress(
  app: App,
  ids: { project_id: string; member_id: string; provider_id: string },
) {
  const { project_id, provider_id, member_id } = ids;
  const now = Math.floor(app.now());
  const text = `once-${randomSecret(16)}.${project_id}.${provider_id}.${member_id}.${now}`;
  const expires_at = new Date(now + ONCE_LIFETIME_MS).toISOString();
  return { url: await addressOf(app, text, project_id), expires_at };
}

async function addressOf(app: App, text: string, project_id: string): Promise<string> {
  const key = await linkKey(app, project_id);
  return `${app.config.public_url}/api/v1/oauth/connect/${text}.${mac(key, 'link', text)}`;
}

/** Refuses one that is forged, expired, or whose provider is gone. `token` is the last part of its path. */
export async function readConnectLink(app: App, token: string, { is_opened = false } = {}): Promise<ConnectLink> {
  const [, once = null, project_id, provider_id, member_id, digits, given] = FORMAT.exec(token) ?? [];
  if (!project_id || !provider_id || !member_id || !given) throw refuse.connectLinkInvalid();
  const provider = await findAnyProvider(app, project_id, provider_id);
  if (!provider?.is_enabled) throw refuse.connectLinkInvalid();
  const key = await linkKey(app, project_id);
  const text = token.slice(0, -given.length - 1);
  const created_at = Number(digits);
  // Who opened it in time may take longer at the provider.
  const lifetime_ms = once === null || is_opened ? LIFETIME_MS : ONCE_LIFETIME_MS;
  const isCurrent = created_at <= app.now() && app.now() < created_at + lifetime_ms;
  if (!sameText(mac(key, 'link', text), given) || !isCurrent) throw refuse.connectLinkInvalid();
  return { provider, project_id, member_id, created_at, once };
}

/**
 * The `state` that is sent to the provider: the link, bound to the browser that opened it, and for an MCP server to its authorization
 * server. A code of one that was replaced meanwhile is sent nowhere.
 */
export async function connectState(app: App, link: ConnectLink, token: string, browser: string): Promise<string> {
  const key = await linkKey(app, link.project_id);
  const random = randomSecret(16);
  return `connect.${random}.${token}.${mac(key, 'state', stateText(link, [random, token, browser]))}`;
}

const stateText = ({ provider }: ConnectLink, parts: string[]) => [...parts, pinText(provider)].join(' ');

/** Whether a callback belongs to a connect link, and not to another sign-in. */
export const isConnectState = (state: string) => STATE.test(state);

/** Refuses a state of another browser, and one whose link is no longer valid. */
export async function readConnectState(app: App, state: string, browser: string): Promise<ConnectLink> {
  const [, random, token, given] = STATE.exec(state) ?? [];
  if (!random || !token || !given) throw refuse.connectLinkInvalid();
  const link = await readConnectLink(app, token, { is_opened: true });
  const key = await linkKey(app, link.project_id);
  if (!sameText(mac(key, 'state', stateText(link, [random, token, browser])), given)) throw refuse.connectLinkInvalid();
  return link;
}

const linkKey = (app: App, project_id: string): Promise<KeyObject> =>
  app.secrets.deriveKey(app.database, project_id, 'oauth connect link');

const mac = (key: KeyObject, use: string, text: string) =>
  createHmac('sha256', key).update(`${use} ${text}`).digest('base64url');

const sameText = (one: string, other: string) => sameBytes(Buffer.from(one), Buffer.from(other));
