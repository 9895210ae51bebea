// W3C Trace Context: passes a trace on to the customer's API, with this call as the parent.

import { randomBytes } from 'node:crypto';

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(?:-.*)?$/;

/** Returns the traceparent of the outgoing request, or null if the given one is invalid (W3C Trace Context §3.2). */
export function continueTrace(traceparent: string): string | null {
  const [, trace_id, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (trace_id === undefined || flags === undefined) return null;
  const is_sampled = (Number.parseInt(flags, 16) & 1) === 1;
  return `00-${trace_id}-${randomBytes(8).toString('hex')}-${is_sampled ? '01' : '00'}`;
}
