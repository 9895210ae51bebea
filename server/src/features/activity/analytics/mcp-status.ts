// With which HTTP status a failed tool call is answered over MCP.

/** The model can correct a failed call; it cannot correct missing permission, rate limits or an outage. */
export function isCallFailure({ status }: { status: number }): boolean {
  return status !== 401 && status !== 403 && status !== 429 && status !== 503;
}
