// With which HTTP status a failed tool call is answered over MCP.

/** Refusals that a model is told, although others with their status are for the client. */
const resultCodes = new Set(['TOOL_LIMIT_REACHED', 'CALL_DENIED', 'CALL_DECLINED', 'TOO_MANY_PENDING']);

/**
 * The model can correct a failed call; it cannot correct missing permission, the rate limit or an outage. It can wait for a limit of
 * the tool, and use other tools meanwhile: 429 as a status is that of the plan. A policy that denies one call says nothing about others.
 */
export function isCallFailure({ status, code }: { status: number; code: string | null }): boolean {
  if (code !== null && resultCodes.has(code)) return true;
  return status !== 401 && status !== 403 && status !== 429 && status !== 503;
}
