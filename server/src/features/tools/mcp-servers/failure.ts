// Why the tools of an MCP server could not be read: as a refusal for who syncs it, and as words for who manages it.

import type { McpServer } from '@toolgate/contract/mcp-servers/mcp-server.ts';
import { ApiError, refuse } from '../../../errors/errors.ts';
import { McpProblem } from '../../../mcp-client/message.ts';
import { SendError } from '../../../outbound/messages.ts';
import { SecretUnreadable } from '../../../secrets/aes-gcm.ts';
import { problemToRefusal } from '../calls/mcp/problem-to-refusal.ts';

export type SyncFailure = { refusal: ApiError; status: Exclude<McpServer['status'], 'ok' | null>; last_error: string };

const REMEDY =
  "Check the MCP server's url: it must be reachable and support MCP over Streamable HTTP; see the server's last_error.";

/** Throws what is a bug of ours. */
export function syncFailureOf(error: unknown): SyncFailure {
  if (error instanceof McpProblem) {
    const status = error.kind === 'unauthorized' ? 'unauthorized' : 'unreachable';
    const isOther = error.kind === 'protocol' || error.kind === 'session_lost';
    const refusal = isOther ? notMcp(error.message) : problemToRefusal(error);
    return { refusal, status, last_error: error.message };
  }
  if (error instanceof SecretUnreadable)
    return {
      refusal: refuse.authSecretUnreadable({ cause: error.message }),
      status: 'unauthorized',
      last_error: 'The stored secret cannot be decrypted',
    };
  if (error instanceof ApiError && error.code === 'UPSTREAM_STATUS')
    return { refusal: error, status: 'unauthorized', last_error: 'The token endpoint returned no access token' };
  // It is this server that is busy.
  if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') throw error;
  if (error instanceof ApiError && error.status >= 500)
    return { refusal: error, status: 'unreachable', last_error: error.message };
  if (!(error instanceof SendError)) throw error;
  const cause = `${error.kind}: ${error.reason}`;
  if (error.kind === 'timeout')
    return { refusal: refuse.toolTimedOut({ cause }), status: 'unreachable', last_error: 'It did not respond in time' };
  // Blocked, refused and unreachable are the same, so that nobody can scan a network.
  return {
    refusal: refuse.upstreamConnection({ cause, details: { remedy: REMEDY } }),
    status: 'unreachable',
    last_error: 'It could not be reached',
  };
}

const notMcp = (cause: string) =>
  refuse.upstreamConnection({ hidden_reason: 'malformed_response', cause, details: { remedy: REMEDY } });
