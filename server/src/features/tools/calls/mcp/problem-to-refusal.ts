// What an MCP server did wrong, as a refusal.

import { type ApiError, refuse } from '../../../../errors/errors.ts';
import type { McpProblem } from '../../../../mcp-client/message.ts';

/** For a response that is not as MCP prescribes. Nothing of the response is in it. */
export function problemToRefusal({ kind, message, status }: McpProblem): ApiError {
  switch (kind) {
    case 'unauthorized':
      return refuse.upstreamUnauthorized();
    case 'status':
      return refuse.upstreamStatus({ details: { upstream_status: status } });
    case 'too_large':
      return refuse.resultTooLarge({
        details: { remedy: `${message}. Request less from the tool, or make the MCP server return less.` },
      });
    case 'protocol':
    case 'session_lost':
      return refuse.upstreamConnection({ hidden_reason: 'malformed_response', cause: message });
  }
}
