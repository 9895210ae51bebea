// With which HTTP status a failed tool call is answered over MCP.

/**
 * The model can correct a failed call; it cannot correct missing permission, the rate limit or an outage. It can wait for a limit of
 * the tool, and use other tools meanwhile: 429 as a status is that of the plan.
 */
export function isCallFailure({ status, code }: { status: number; code: string | null }): boolean {
  if (code === 'TOOL_LIMIT_REACHED') return true;
  return status !== 401 && status !== 403 && status !== 429 && status !== 503;
}
