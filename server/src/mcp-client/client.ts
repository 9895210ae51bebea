// The MCP client: lists and calls the tools of a server, in whichever revision it speaks.

import { SendError } from '../outbound/messages.ts';
import {
  exchange,
  namesRequest,
  newRequestId,
  notify,
  type Responded,
  type RpcRequest,
  type Transport,
} from './exchange.ts';
import { speaksModern, UNSUPPORTED_PROTOCOL_VERSION } from './find-revision.ts';
import { McpProblem, RESULT_LIMITS, type RpcResponse, SMALL_LIMITS } from './message.ts';
import { mirroredHeaders } from './mirrored-headers.ts';
import { isLegacy, MODERN, modernHeaders, modernMeta } from './revisions.ts';
import { NotInitialized, type Session, type Sessions } from './sessions.ts';

export type Peer = {
  /** For this call. */
  transport: Transport;
  /** For what goes on when the call has ended: a session that others use too, a cancellation. */
  background: Transport;
  /** Waits for what others wait for too, as long as this call has time. Rejects with a SendError then. */
  within<T>(work: Promise<T>): Promise<T>;
  sessions: Sessions;
  /** Names the server, its settings and the principal: who has another key never shares a session. */
  session_key: string;
};

export type ToolRequest = {
  name: string;
  arguments: Record<string, unknown>;
  /** The input schema as the server has it. */
  schema: Record<string, unknown>;
  /** The members of `_meta` that go along: progress token and trace context. */
  meta: Record<string, unknown>;
  /** What the caller's client can do, and the responses to what the server asked before. Only for 2026-07-28. */
  capabilities: object;
  responses: { inputResponses?: unknown; requestState?: unknown };
  onProgress?: ((params: Record<string, unknown>) => void) | undefined;
};

/** What a call sends besides the session and the credential. */
export function toolMessage(revision: string, request: Omit<ToolRequest, 'onProgress'>) {
  const { name, arguments: given, meta } = request;
  if (isLegacy(revision))
    return {
      params: { name, arguments: given, ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}) },
      headers: {},
    };
  return {
    params: { name, arguments: given, ...request.responses, _meta: { ...meta, ...modernMeta(request.capabilities) } },
    headers: { ...modernHeaders('tools/call', name), ...mirroredHeaders(request.schema, given) },
  };
}

type Called = { reply: RpcResponse; revision: string };

/**
 * `hint` is the revision that the server spoke before. If it refuses that one before it runs anything, and speaks another one, the call is
 * sent once more, in that one. Rejects with a SendError or an McpProblem.
 */
export async function callUpstreamTool(peer: Peer, hint: string, request: ToolRequest): Promise<Called> {
  const first = await attempt(peer, hint, request);
  const revision = first.is_refused ? await findOther(peer, hint) : null;
  if (revision === null) return { reply: first.settle(), revision: hint };
  return { reply: (await attempt(peer, revision, request)).settle(), revision };
}

/** `settle` returns the response, or throws what was wrong. `is_refused`: the revision was refused, and surely nothing was run. */
type Attempt = { is_refused: boolean; settle(): RpcResponse };

async function attempt(peer: Peer, revision: string, request: ToolRequest): Promise<Attempt> {
  const { onProgress } = request;
  const { params, headers } = toolMessage(revision, request);
  const is_legacy = isLegacy(revision);
  const sent = { method: 'tools/call', params, limits: RESULT_LIMITS, is_legacy, onProgress };
  try {
    const responded = is_legacy
      ? await inSession(peer, sent)
      : await exchange(peer.transport, { ...sent, id: newRequestId(), headers });
    return { is_refused: refusesRevision(responded), settle: () => responded.reply };
  } catch (error) {
    if (!(error instanceof McpProblem)) throw error;
    const isBefore = error instanceof NotInitialized ? mayBeOfRevision(error) : refusesUnread(error.status);
    return {
      is_refused: isBefore,
      settle() {
        throw error;
      },
    };
  }
}

/** Statuses of what does not take the request: no session, an unknown version, no such endpoint or method. */
const refusesUnread = (status: number | null) => status === 400 || status === 404 || status === 405;

/** An error that names the request may come from the tool itself, which has run then: only one about the version is certain. */
function refusesRevision({ reply, response }: Responded): boolean {
  if (!('error' in reply)) return false;
  const isUnread = reply.is_unaddressed === true && refusesUnread(response.status);
  return isUnread || reply.error.code === UNSUPPORTED_PROTOCOL_VERSION;
}

/** Where nothing is run, such as a list, every other response can mean another revision. */
export const mayBeOfRevision = ({ kind }: McpProblem) => kind !== 'unauthorized' && kind !== 'too_large';

/** The revision that the server speaks, if it is not of the same kind as the one that it refused. */
async function findOther(peer: Peer, refused: string): Promise<string | null> {
  try {
    const isModern = await peer.within(speaksModern(peer.background));
    if (isLegacy(refused)) return isModern ? MODERN : null;
    return isModern ? null : (await currentSession(peer)).revision;
  } catch (error) {
    if (error instanceof McpProblem) return null;
    throw error;
  }
}

type SessionRequest = Omit<RpcRequest, 'id' | 'headers'>;

/** A session that the server has forgotten is begun again, once: it has not acted on the request. */
async function inSession(peer: Peer, request: SessionRequest): Promise<Responded> {
  const session = await currentSession(peer);
  const id = newRequestId();
  try {
    const transport = refusingLostSession(peer, session, id, request);
    const responded = await sendInSession(peer, session, { ...request, id }, transport);
    if (!refusesRevision(responded)) return responded;
  } catch (error) {
    const isLost = error instanceof McpProblem && (error.kind === 'session_lost' || refusesUnread(error.status));
    if (!isLost) throw error;
  }
  await peer.sessions.forget(peer.session_key, session);
  const again = await currentSession(peer);
  return sendInSession(peer, again, { ...request, id: newRequestId() }, peer.transport);
}

function currentSession({ sessions, session_key, background, within }: Peer): Session | Promise<Session> {
  const session = sessions.find(session_key, background);
  return session instanceof Promise ? within(session) : session;
}

const refusesSession = (status: number | null) => status === 404 || status === 400;

/**
 * server-everything responds with 400 where the protocol says 404, and names the request in both. So do servers whose tool ran and
 * failed: then only a ping tells whether they know the session.
 */
function refusingLostSession(peer: Peer, session: Session, id: number, { limits }: SessionRequest): Transport {
  const { transport } = peer;
  if (session.headers['mcp-session-id'] === undefined) return transport;
  return async (message) => {
    const response = await transport(message);
    if (!refusesSession(response.status)) return response;
    const isLost =
      !namesRequest(response, { id, limits }) || (await peer.within(refusesPing(peer.background, session)));
    if (!isLost) return response;
    throw new McpProblem('session_lost', 'It does not know the session', response.status);
  };
}

/** What is no response to a ping at all proves nothing, so the call is not sent again. Rejects with a SendError. */
async function refusesPing(transport: Transport, { headers }: Session): Promise<boolean> {
  const ping = { id: newRequestId(), method: 'ping', params: {}, headers, limits: SMALL_LIMITS, is_legacy: true };
  try {
    const { response } = await exchange(transport, ping);
    return refusesSession(response.status);
  } catch (error) {
    if (error instanceof McpProblem) return refusesSession(error.status);
    throw error;
  }
}

/** Earlier revisions take a closed connection for an accident: a call that is given up is cancelled by a message. */
async function sendInSession(
  { background }: Peer,
  { headers }: Session,
  request: Omit<RpcRequest, 'headers'>,
  transport: Transport,
): Promise<Responded> {
  try {
    return await exchange(transport, { ...request, headers });
  } catch (error) {
    const isGivenUp = error instanceof SendError && (error.kind === 'aborted' || error.kind === 'timeout');
    const params = { requestId: request.id, reason: 'The caller no longer waits for the result' };
    if (isGivenUp && error.stages !== null)
      notify(background, headers, { method: 'notifications/cancelled', params }).catch(() => {});
    throw error;
  }
}
