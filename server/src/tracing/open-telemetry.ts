// The OpenTelemetry SDK: creates spans and exports them over OTLP, in batches in the background. While the collector is down, spans
// are dropped and no request notices. Attributes follow the semantic conventions for HTTP.

import { randomUUID } from 'node:crypto';
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_VERSION,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import type { Logger } from 'pino';
import { parseTraceparent } from './traceparent.ts';
import type { ConfirmationSpan, RequestResult, RequestSpan, Tracing, UpstreamCall, UpstreamSpan } from './tracing.ts';

/** A span is exported at most so long after it ended. */
const EXPORT_EVERY_MS = 2_000;
const MAX_BUFFERED_SPANS = 8_192;
const EXPORT_TIMEOUT_MS = 10_000;
/** When the server stops. A collector that hangs must not delay it. */
const CLOSE_WITHIN_MS = 5_000;
const LOG_EVERY_MS = 60_000;

export function startOpenTelemetry(endpoint: string, version: string, log: Logger): Tracing {
  logProblems(log);
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new TracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    resource: resourceFromAttributes({
      [ATTR_SERVICE_NAME]: 'toolgate',
      [ATTR_SERVICE_VERSION]: version,
      'service.instance.id': randomUUID(),
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: EXPORT_EVERY_MS,
        maxQueueSize: MAX_BUFFERED_SPANS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('toolgate', version);
  return {
    startRequest: (traceparent) => startRequest(tracer, traceparent),
    async close() {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS).unref());
      // What was not exported is logged by logProblems().
      await Promise.race([provider.shutdown().catch(() => {}), timeout]);
    },
  };
}

/** The SDK reports each failed export. One line a minute is enough. */
function logProblems(log: Logger): void {
  let last = Number.NEGATIVE_INFINITY;
  const report = (message: string) => {
    if (performance.now() - last < LOG_EVERY_MS) return;
    last = performance.now();
    log.warn({ reason: message.slice(0, 300) }, 'spans could not be exported');
  };
  const ignore = () => {};
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

/** The span is created when its parent is known: an MCP message may name one in its body. */
function startRequest(tracer: Tracer, traceparent: string | undefined): RequestSpan {
  const startTime = performance.now();
  let span: Span | undefined;
  const create = (parent: string | undefined): Span =>
    tracer.startSpan('request', { kind: SpanKind.SERVER, startTime }, remoteContext(parent));
  const parentOf = (of_call: string | undefined): Context => {
    span ??= create(of_call ?? traceparent);
    const given = of_call === undefined ? null : parseTraceparent(of_call);
    // A further message of a batch may belong to another trace.
    const is_other_trace = given !== null && given.trace_id !== span.spanContext().traceId;
    return is_other_trace ? remoteContext(of_call) : trace.setSpan(ROOT_CONTEXT, span);
  };
  return {
    createUpstream: (of_call, call) => createUpstream(tracer, parentOf(of_call), call),
    startConfirmation: (of_call, tool) => startConfirmation(tracer, parentOf(of_call), tool),
    end(result) {
      span ??= create(traceparent);
      endRequest(span, result);
    },
  };
}

function endRequest(span: Span, { method, route, status, code, request_id, project_id }: RequestResult): void {
  span.updateName(route === null ? method : `${method} ${route}`);
  span.setAttributes({
    [ATTR_HTTP_REQUEST_METHOD]: method,
    [ATTR_URL_SCHEME]: 'http',
    [ATTR_HTTP_RESPONSE_STATUS_CODE]: status,
    'toolgate.request_id': request_id,
  });
  if (route !== null) span.setAttribute(ATTR_HTTP_ROUTE, route);
  if (project_id !== null) span.setAttribute('toolgate.project_id', project_id);
  if (code !== null) span.setAttribute('toolgate.error_code', code);
  // A refusal below 500 is not an error of the server.
  if (status >= 500) {
    span.setAttribute(ATTR_ERROR_TYPE, code ?? String(status));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(performance.now());
}

function createUpstream(tracer: Tracer, parent: Context, call: UpstreamCall): UpstreamSpan {
  let span: Span | undefined;
  return {
    start() {
      span ??= tracer.startSpan(call.method, { kind: SpanKind.CLIENT, attributes: upstreamAttributes(call) }, parent);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return `00-${traceId}-${spanId}-${(traceFlags & 1) === 1 ? '01' : '00'}`;
    },
    end(result) {
      if (span === undefined) return;
      const error_type = 'error' in result ? result.error : result.status >= 400 ? String(result.status) : null;
      if ('status' in result) span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, result.status);
      if (error_type !== null) {
        span.setAttribute(ATTR_ERROR_TYPE, error_type);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/** As long as this request asks or waits. The person may have taken longer, between two requests: an attribute says how long. */
function startConfirmation(
  tracer: Tracer,
  parent: Context,
  { tool_id, tool_name }: Pick<UpstreamCall, 'tool_id' | 'tool_name'>,
): ConfirmationSpan {
  const attributes = { 'gen_ai.tool.name': tool_name, 'toolgate.tool_id': tool_id };
  const span = tracer.startSpan('confirmation', { kind: SpanKind.INTERNAL, attributes }, parent);
  return {
    end(result) {
      // To have no response yet is not an error of the span.
      if ('error' in result) span.setAttribute(ATTR_ERROR_TYPE, result.error);
      else if (result.waiting_ms !== null) span.setAttribute('toolgate.waiting_ms', result.waiting_ms);
      span.end();
    },
  };
}

function upstreamAttributes({ method, origin, tool_id, tool_name, hook }: UpstreamCall) {
  const { hostname, port } = new URL(origin);
  return {
    [ATTR_HTTP_REQUEST_METHOD]: method,
    [ATTR_SERVER_ADDRESS]: hostname,
    [ATTR_SERVER_PORT]: port === '' ? 443 : Number(port),
    [ATTR_URL_SCHEME]: 'https',
    'gen_ai.tool.name': tool_name,
    'toolgate.tool_id': tool_id,
    ...(hook && { 'toolgate.hook_id': hook.id, 'toolgate.hook_point': hook.point }),
  };
}

function remoteContext(traceparent: string | undefined): Context {
  const parsed = traceparent === undefined ? null : parseTraceparent(traceparent);
  if (parsed === null) return ROOT_CONTEXT;
  const { trace_id, span_id, is_sampled } = parsed;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: trace_id,
    spanId: span_id,
    traceFlags: is_sampled ? 1 : 0,
    isRemote: true,
  });
}
