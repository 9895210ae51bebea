// Sends one request of a log stream, and reads from the response whether it was accepted.

import type { App } from '../../../app.ts';
import type { OutboundResponse } from '../../../outbound/messages.ts';
import { refuseStatus } from './failure.ts';
import { buildHttpsRequest } from './https-request.ts';
import type { Entry } from './read-batch.ts';
import type { File } from './s3-file.ts';
import type { BuildOptions, StreamRequest } from './stream-request.ts';

const TIMEOUT_MS = { otlp_http: 15_000, https: 15_000, s3: 30_000 };
const READ_BYTES = 20_000;

/** What there is to send: entries, or the file that was made of them. */
export type Content = { entries: Entry[] } | Pick<File, 'first_id' | 'last_id' | 'body'>;

/** What arrived, and how many entries the receiver refused although it accepted the rest. */
export type Accepted = { response: OutboundResponse; rejected: number };

export async function buildRequest(content: Content, options: BuildOptions): Promise<StreamRequest> {
  if ('body' in content) {
    const { buildS3Request } = await import('./s3-request.ts');
    const name = options.is_test ? 'test' : `${content.first_id}-${content.last_id}`;
    return buildS3Request(name, content.body, options);
  }
  if (options.stream.kind === 'https') return buildHttpsRequest(content.entries, options);
  const { buildOtlpRequest } = await import('./otlp-request.ts');
  return buildOtlpRequest(content.entries, options);
}

type SendOptions = Pick<BuildOptions, 'stream' | 'credentials'> & { fairness_key: string; part: string };

/** Own slots, connections and circuit breaker for each `part`: a dead receiver delays no other stream. Throws why it failed. */
export async function sendRequest(
  app: App,
  request: StreamRequest,
  { stream, credentials: { certificate }, fairness_key, part }: SendOptions,
): Promise<Accepted> {
  const timeout_ms = TIMEOUT_MS[stream.kind];
  const response = await app.send({
    ...request,
    timeout_ms,
    headers_timeout_ms: timeout_ms,
    max_response_bytes: READ_BYTES,
    certificate,
    isolation_key: fairness_key,
    isolation_part: part,
  });
  refuseStatus(response.status, response.headers['retry-after'], await detailOf(stream, response));
  return { response, rejected: stream.kind === 'otlp_http' ? await rejectedOf(response) : 0 };
}

async function detailOf({ kind }: BuildOptions['stream'], { status, body }: OutboundResponse) {
  if (kind !== 's3' || status < 300) return undefined;
  const { storeErrorCode } = await import('./s3-request.ts');
  return storeErrorCode(body);
}

async function rejectedOf({ body }: OutboundResponse): Promise<number> {
  const { rejectedRecords } = await import('./otlp-request.ts');
  return rejectedRecords(body);
}
