// Sessions with servers of the revisions before 2026-07-28: one for each server and principal, begun with `initialize` and ended after ten
// idle minutes. Nobody else's requests are ever sent in it.

import { LRUCache } from 'lru-cache';
import { exchange, newRequestId, notify, type Transport } from './exchange.ts';
import { McpProblem, SMALL_LIMITS } from './message.ts';
import { clientInfo, isLegacy, NEWEST_LEGACY, withExtensions } from './revisions.ts';

export type Session = {
  revision: string;
  /** What each request in it has. */
  headers: Record<string, string>;
};

const MAX_SESSIONS = 1_000;
const IDLE_MS = 10 * 60_000;
/** Visible ASCII, as MCP prescribes. */
const VISIBLE = /^[\x21-\x7e]{1,4096}$/;

type Kept = { session: Session | null; opening: Promise<Session>; transport: Transport };

export type Sessions = {
  /** A promise while it begins. `transport` must outlive the call that comes first: others wait for the same session. */
  find(key: string, transport: Transport): Session | Promise<Session>;
  /** The server does not know it any more. */
  forget(key: string, session: Session): Promise<void>;
};

export function createSessions(): Sessions {
  const sessions = new LRUCache<string, Kept>({
    max: MAX_SESSIONS,
    ttl: IDLE_MS,
    updateAgeOnGet: true,
    ttlAutopurge: true,
    dispose: ({ opening, transport }, _key, reason) => {
      if (reason !== 'delete' && reason !== 'set')
        opening.then((session) => endSession(transport, session)).catch(() => {});
    },
  });

  return {
    find(key, transport) {
      const kept = sessions.get(key);
      if (kept) return kept.session ?? kept.opening;
      const opening = openSession(transport);
      const entry: Kept = { session: null, opening, transport };
      sessions.set(key, entry);
      opening.then(
        (session) => {
          entry.session = session;
        },
        () => {
          if (sessions.peek(key) === entry) sessions.delete(key);
        },
      );
      return opening;
    },
    async forget(key, session) {
      const kept = sessions.peek(key);
      if (kept && (await kept.opening.catch(() => session)) === session) sessions.delete(key);
    },
  };
}

/** There is no session, so no request was sent in one. */
export class NotInitialized extends McpProblem {}

/** Rejects with a SendError or NotInitialized. */
export async function openSession(transport: Transport): Promise<Session> {
  try {
    return await initialize(transport);
  } catch (error) {
    if (!(error instanceof McpProblem)) throw error;
    throw new NotInitialized(error.kind, error.message, error.status, error.challenge);
  }
}

async function initialize(transport: Transport): Promise<Session> {
  const { reply, response } = await exchange(transport, {
    id: newRequestId(),
    method: 'initialize',
    params: { protocolVersion: NEWEST_LEGACY, capabilities: withExtensions({}), clientInfo },
    headers: {},
    limits: SMALL_LIMITS,
    is_legacy: true,
  });
  if ('error' in reply) throw new McpProblem('protocol', `It refused to initialize: error ${reply.error.code}`);
  const { protocolVersion: revision } = reply.result;
  if (typeof revision !== 'string' || !isLegacy(revision))
    throw new McpProblem('protocol', 'It supports no MCP revision that toolgate supports');
  const id = response.headers['mcp-session-id'];
  if (id !== undefined && !VISIBLE.test(id)) throw new McpProblem('protocol', 'Its session id cannot be sent back');
  const headers: Record<string, string> = { 'mcp-protocol-version': revision };
  if (id !== undefined) headers['mcp-session-id'] = id;
  await notify(transport, headers, { method: 'notifications/initialized' });
  return { revision, headers };
}

/** Servers that do not support it respond with 405. */
export async function endSession(transport: Transport, { headers }: Session): Promise<void> {
  if (headers['mcp-session-id'] === undefined) return;
  await transport({ method: 'DELETE', headers }).catch(() => {});
}
