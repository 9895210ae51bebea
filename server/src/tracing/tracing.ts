// Spans for OpenTelemetry: one for each request, for each call of a customer's API or hook, and for asking a person. The SDK is loaded only when the operator
// has set an OTLP endpoint; otherwise `app.tracing` is null.

import type { Logger } from 'pino';

export type Tracing = {
  /** `traceparent`: of the request's header. */
  startRequest(traceparent: string | undefined): RequestSpan;
  /** Exports the spans that are buffered. */
  close(): Promise<void>;
};

export type RequestSpan = {
  /** `traceparent`: of this call, which may differ from the request's, because an MCP message can carry its own. */
  createUpstream(traceparent: string | undefined, call: UpstreamCall): UpstreamSpan;
  /** A person is asked about the call, or was. */
  startConfirmation(
    traceparent: string | undefined,
    tool: Pick<UpstreamCall, 'tool_id' | 'tool_name'>,
  ): ConfirmationSpan;
  end(result: RequestResult): void;
};

export type UpstreamSpan = {
  /** Starts the span. Returns the `traceparent` header of the call. */
  start(): string;
  /** `error`: why there was no response. */
  end(result: { status: number } | { error: string }): void;
};

/** `waiting_ms`: how long the person took; null: nobody was asked. `error`: why there is no yes. */
export type ConfirmationSpan = { end(result: { waiting_ms: number | null } | { error: string }): void };

/** No path, query, header or argument: they may hold a secret. `hook`: of a request to a hook. */
export type UpstreamCall = {
  method: string;
  origin: string;
  tool_id: string;
  tool_name: string;
  hook?: { id: string; point: string };
};

export type RequestResult = {
  method: string;
  /** The route template; null when no route matches. */
  route: string | null;
  status: number;
  /** The code of the error. */
  code: string | null;
  request_id: string;
  project_id: string | null;
};

export async function openTracing(endpoint: string | null, version: string, log: Logger): Promise<Tracing | null> {
  if (endpoint === null) return null;
  const { startOpenTelemetry } = await import('./open-telemetry.ts');
  return startOpenTelemetry(endpoint, version, log);
}
