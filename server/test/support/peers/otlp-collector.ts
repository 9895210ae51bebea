// An OpenTelemetry collector on loopback: receives OTLP over HTTP in protobuf, and returns the spans.

import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { listenOnFreePort } from '../servers/free-port.ts';
import { waitUntil } from '../wait-until.ts';

export type ReceivedSpan = {
  trace_id: string;
  span_id: string;
  /** Empty for the first span of a trace. */
  parent_id: string;
  name: string;
  kind: 'server' | 'client' | 'other';
  attributes: Record<string, string | number>;
  is_error: boolean;
};

export type Collector = Awaited<ReturnType<typeof startCollector>>;

/** `hang`: never responds. */
export async function startCollector({ hang = false } = {}) {
  const bodies: Buffer[] = [];
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const raw = Buffer.concat(parts);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
      bodies.push(body);
      if (request.url === '/v1/traces') spans.push(...readSpans(body));
      if (!hang) response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  const port = await listenOnFreePort(server);
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    spans,
    /** Waits until `count` spans of this trace have arrived. */
    async spansOf(trace_id: string, count: number): Promise<ReceivedSpan[]> {
      const found = () => spans.filter((span) => span.trace_id === trace_id);
      await waitUntil(async () => found().length >= count, 10_000, `${count} spans of ${trace_id}`);
      return found();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Field = { number: number; bytes: Buffer; value: bigint };

/** The fields of a protobuf message. */
function readFields(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] as number;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const [number, type] = [tag >> 3, tag & 7];
    if (type === 0) fields.push({ number, bytes: Buffer.alloc(0), value: varint() });
    else fields.push({ number, bytes: take(type === 1 ? 8 : type === 5 ? 4 : Number(varint())), value: 0n });
  }
  return fields;
}

const all = (message: Buffer, number: number) => readFields(message).filter((field) => field.number === number);
const bytesOf = (message: Buffer, number: number) => all(message, number)[0]?.bytes ?? Buffer.alloc(0);
const numberOf = (message: Buffer, number: number) => Number(all(message, number)[0]?.value ?? 0);

/** opentelemetry/proto/trace/v1/trace.proto */
function readSpans(request: Buffer): ReceivedSpan[] {
  return all(request, 1)
    .flatMap(({ bytes }) => all(bytes, 2))
    .flatMap(({ bytes }) => all(bytes, 2))
    .map(({ bytes: span }) => ({
      trace_id: bytesOf(span, 1).toString('hex'),
      span_id: bytesOf(span, 2).toString('hex'),
      parent_id: bytesOf(span, 4).toString('hex'),
      name: bytesOf(span, 5).toString(),
      kind: ({ 2: 'server', 3: 'client' } as const)[numberOf(span, 6)] ?? 'other',
      attributes: Object.fromEntries(all(span, 9).map(({ bytes }) => readAttribute(bytes))),
      is_error: numberOf(bytesOf(span, 15), 3) === 2,
    }));
}

function readAttribute(attribute: Buffer): [string, string | number] {
  const value = bytesOf(attribute, 2);
  const [field] = readFields(value);
  return [bytesOf(attribute, 1).toString(), field?.number === 1 ? field.bytes.toString() : Number(field?.value)];
}
