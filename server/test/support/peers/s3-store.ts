// An S3-compatible store on 127.0.0.1 over HTTPS: keeps objects, and refuses a request whose AWS Signature Version 4 it does not compute
// itself. Written from the description of the signature, without the library that signs.

import { createHash, createHmac } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { type ReceivedRequest, startCustomer } from './fake-customer.ts';

export type S3Store = Awaited<ReturnType<typeof startS3Store>>;

export const s3Credentials = { access_key_id: 'AKIATEST', secret_access_key: 'secret/of+the=tests' };

export async function startS3Store({ region = 'eu-central-1', host = '127.0.0.1' } = {}) {
  const customer = await startCustomer();
  const objects = new Map<string, Buffer>();
  let refuses: number | null = null;
  customer.respond('*', (request) => {
    if (refuses !== null) return { status: refuses, body: '<Error><Code>SlowDown</Code></Error>' };
    if (!isSigned(request, region))
      return { status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>' };
    const object = objects.get(request.path);
    if (request.method === 'PUT') objects.set(request.path, request.body);
    if (request.method === 'DELETE') objects.delete(request.path);
    if (request.method !== 'GET') return { body: '' };
    return object ? { body: object } : { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
  });
  return {
    ...customer,
    url: customer.url.replace('127.0.0.1', host),
    objects,
    /** Answers every request with this status; null: works again. */
    refuse(status: number | null): void {
      refuses = status;
    },
    /** The lines of an object. */
    lines: (path: string): any[] =>
      gunzipSync(objects.get(path) as Buffer)
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const hex = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

/** docs.aws.amazon.com, "Authenticating Requests: Using the Authorization Header". */
function isSigned({ method, path, query, headers, body }: ReceivedRequest, region: string): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=(\S+?)\/(\d{8})\/(\S+?)\/s3\/aws4_request, SignedHeaders=(\S+), Signature=(\w{64})$/;
  const [, id, day = '', of_region, names = '', signature] = form.exec(String(headers.authorization)) ?? [];
  const date = String(headers['x-amz-date']);
  if (id !== s3Credentials.access_key_id || of_region !== region || !date.startsWith(day)) return false;
  if (headers['x-amz-content-sha256'] !== hex(body)) return false;
  const signed = names.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name))) return false;
  const encoded = decodeURIComponent(path)
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  const canonical = [
    method,
    encoded,
    query,
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    hex(body),
  ].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${s3Credentials.secret_access_key}`,
  );
  const text = ['AWS4-HMAC-SHA256', date, `${day}/${region}/s3/aws4_request`, hex(canonical)].join('\n');
  return hmac(key, text).toString('hex') === signature;
}
