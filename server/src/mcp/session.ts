// The session id of clients before 2026-07-28 that can ask their users: these say so in `initialize` only. The id carries it, signed and
// bound to the caller, so that every replica can read it and nothing is stored. It authenticates nobody.

import { createHmac, type KeyObject } from 'node:crypto';
import type { TokenCaller } from '../access/caller.ts';
import type { App } from '../app.ts';
import { subjectOf } from '../features/tools/approvals/request.ts';
import { randomSecret, sameBytes } from '../secrets/tokens.ts';
import { type Capabilities, capabilitiesOf } from './elicitation.ts';
import { type Params, RpcError } from './json-rpc.ts';

const FORMAT = /^(e1-(f?)(u?)-[\w-]{22})-([\w-]{43})$/;

/** Null for a client that asks its user nothing: it needs no session. */
export async function newSessionId(app: App, caller: TokenCaller, { capabilities }: Params): Promise<string | null> {
  const { form, url } = capabilitiesOf(capabilities);
  if (!form && !url) return null;
  const text = `e1-${form ? 'f' : ''}${url ? 'u' : ''}-${randomSecret(16)}`;
  return `${text}-${mac(await sessionKey(app, caller), caller, text)}`;
}

/** Throws 404 for one that was not made here for this caller: the client then starts a new session. */
export async function readSessionId(app: App, caller: TokenCaller, id: string): Promise<Capabilities> {
  const [, text, form, url, given] = FORMAT.exec(id) ?? [];
  const isOurs =
    text !== undefined &&
    given !== undefined &&
    sameBytes(Buffer.from(mac(await sessionKey(app, caller), caller, text)), Buffer.from(given));
  if (!isOurs)
    throw new RpcError('session_not_found', 'Session not found: start a new one with initialize', { status: 404 });
  return { form: form !== '', url: url !== '' };
}

const sessionKey = (app: App, { project }: TokenCaller): Promise<KeyObject> =>
  app.secrets.deriveKey(app.database, project.id, 'mcp session id v1');

const mac = (key: KeyObject, caller: TokenCaller, text: string) =>
  createHmac('sha256', key)
    .update(`${subjectOf(caller)} ${text}`)
    .digest('base64url');
