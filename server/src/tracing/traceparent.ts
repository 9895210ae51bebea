// W3C Trace Context: reads a `traceparent`, and passes a trace on to the customer's API.

import { randomBytes } from 'node:crypto';

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

type ParsedTraceparent = { trace_id: string; span_id: string; is_sampled: boolean };

/** Returns null if it is invalid (W3C Trace Context §3.2). */
export function parseTraceparent(traceparent: string): ParsedTraceparent | null {
  const [, trace_id, span_id, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (trace_id === undefined || span_id === undefined || flags === undefined) return null;
  return { trace_id, span_id, is_sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Returns the traceparent of the outgoing request, with this call as the parent, or null if the given one is invalid. */
export function continueTrace(traceparent: string): string | null {
  const parsed = parseTraceparent(traceparent);
  if (parsed === null) return null;
  return `00-${parsed.trace_id}-${randomBytes(8).toString('hex')}-${parsed.is_sampled ? '01' : '00'}`;
}
