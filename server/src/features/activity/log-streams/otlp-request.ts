// A batch for an OpenTelemetry collector: OTLP logs over HTTP as JSON, by OpenTelemetry's own serializer. It is loaded with the first
// batch. Each entry is a log record: its fields are attributes under `toolgate.`, and its body a line for people.

import { JsonLogsSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import { version } from '../../../installation.ts';
import { otlpTarget } from './endpoint.ts';
import type { Entry } from './read-batch.ts';
import type { BuildOptions, StreamRequest } from './stream-request.ts';

type LogRecord = Parameters<typeof JsonLogsSerializer.serializeRequest>[0][number];

const scope = { name: 'toolgate.log_streams', version };
const [INFO, ERROR] = [9, 17]; // opentelemetry-proto, SeverityNumber

export function buildOtlpRequest(entries: Entry[], { stream, credentials, now }: BuildOptions): StreamRequest {
  const resource = resourceFromAttributes({
    [ATTR_SERVICE_NAME]: 'toolgate',
    [ATTR_SERVICE_VERSION]: version,
    'toolgate.project_id': stream.project_id,
    'toolgate.stream_id': stream.id,
  });
  const hrTimeObserved = timeOf(new Date(now).toISOString());
  const records = entries.map(
    (entry): LogRecord => ({ ...recordOf(entry), hrTimeObserved, resource, instrumentationScope: scope }),
  );
  const body = JsonLogsSerializer.serializeRequest(records);
  if (!body) throw new Error('the log records could not be serialized');
  return {
    method: 'POST',
    ...otlpTarget(stream.endpoint),
    headers: { ...credentials.headers, 'content-type': 'application/json', 'user-agent': 'toolgate-log-streams' },
    body: Buffer.from(body),
  };
}

function recordOf({ fields, object, created_at }: Entry) {
  const isFailure = fields.outcome === 'failed' && fields.is_waiting !== true;
  return {
    hrTime: timeOf(created_at),
    severityNumber: isFailure ? ERROR : INFO,
    severityText: isFailure ? 'ERROR' : 'INFO',
    eventName: `toolgate.${object}`,
    body: lineOf(object, fields),
    attributes: attributesOf(fields),
    droppedAttributesCount: 0,
  };
}

function lineOf(object: string, fields: Record<string, unknown>): string {
  if (object === 'tool_call')
    return `${fields.tool_name} ${fields.outcome}${fields.error_code === null ? '' : ` with ${fields.error_code}`}`;
  return object === 'audit_entry' ? `${fields.action} ${fields.target_id}` : 'A test of this log stream';
}

/** OpenTelemetry has no null: such a field is left out. */
function attributesOf(fields: Record<string, unknown>): LogRecord['attributes'] {
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [`toolgate.${name}`, value])) as LogRecord['attributes'];
}

/** Seconds and nanoseconds. A stored time has microseconds. */
function timeOf(text: string): [number, number] {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '0';
  return [Math.floor(Date.parse(text) / 1000), Number(fraction.padEnd(9, '0').slice(0, 9))];
}

/** How many records a collector refused although it accepted the request; it must not get them again (OTLP, partial success). */
export function rejectedRecords(response: Buffer): number {
  try {
    const { partialSuccess } = JsonLogsSerializer.deserializeResponse(response);
    return Number(partialSuccess?.rejectedLogRecords ?? 0);
  } catch {
    return 0; // the response of a proxy, or none
  }
}
