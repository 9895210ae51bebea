// Asks an MCP server whether it speaks 2026-07-28.

import { exchange, newRequestId, type Transport } from './exchange.ts';
import { isObject, McpProblem, type RpcErrorObject, SMALL_LIMITS } from './message.ts';
import { MODERN, modernHeaders, modernMeta } from './revisions.ts';

/** Servers of earlier revisions refuse `server/discover` with a status or an error: every response but its result says so. */
export async function speaksModern(transport: Transport): Promise<boolean> {
  try {
    const { reply } = await exchange(transport, {
      id: newRequestId(),
      method: 'server/discover',
      params: { _meta: modernMeta({}) },
      headers: modernHeaders('server/discover'),
      limits: SMALL_LIMITS,
      is_legacy: false,
    });
    const supported = 'error' in reply ? supportedOf(reply.error) : reply.result.supportedVersions;
    return Array.isArray(supported) && supported.includes(MODERN);
  } catch (error) {
    if (error instanceof McpProblem && error.kind !== 'unauthorized') return false;
    throw error;
  }
}

export const UNSUPPORTED_PROTOCOL_VERSION = -32022;

/** A server that refuses a revision names those that it speaks. */
const supportedOf = ({ code, data }: RpcErrorObject) =>
  code === UNSUPPORTED_PROTOCOL_VERSION && isObject(data) ? data.supported : undefined;
