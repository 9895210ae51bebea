// Requests to an S3-compatible store about one object, signed with AWS Signature Version 4: the file of a log stream, or any other.

import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { objectTarget } from './endpoint.ts';
import type { BuildOptions, StreamRequest } from './stream-request.ts';

export async function buildS3Request(
  name: string,
  body: Buffer,
  { stream, credentials, now }: BuildOptions,
): Promise<StreamRequest> {
  const store = {
    endpoint: stream.endpoint,
    bucket: stream.bucket ?? '',
    region: stream.region ?? '',
    access_key_id: stream.access_key_id ?? '',
    secret_access_key: credentials.secret_access_key,
  };
  const headers = { 'content-type': 'application/gzip' };
  return buildObjectRequest(store, { method: 'PUT', key: objectKey(stream, name), headers, body, now });
}

export type ObjectStore = {
  endpoint: string;
  bucket: string;
  region: string;
  access_key_id: string;
  secret_access_key: string;
};

type ObjectRequest = {
  method: 'PUT' | 'GET' | 'DELETE';
  key: string;
  headers?: Record<string, string>;
  body?: Buffer;
  now: number;
};

export async function buildObjectRequest(
  { endpoint, bucket, region, access_key_id, secret_access_key }: ObjectStore,
  { method, key, headers: given = {}, body, now }: ObjectRequest,
): Promise<StreamRequest> {
  const { origin, path } = objectTarget(endpoint, bucket, key);
  const signer = new AwsV4Signer({
    method,
    url: origin + path,
    service: 's3',
    region,
    accessKeyId: access_key_id,
    secretAccessKey: secret_access_key,
    // By the clock of the database: a store refuses a request that is minutes off.
    datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    headers: {
      ...given,
      'x-amz-content-sha256': createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
    },
    ...(body && { body }),
  });
  const { headers } = await signer.sign();
  return { method, origin, path, headers: Object.fromEntries(headers), ...(body && { body }) };
}

/** The name says what is in it: a file that is sent again with the same entries replaces itself. */
function objectKey({ prefix, project_id, source }: BuildOptions['stream'], name: string): string {
  const folder = prefix && !prefix.endsWith('/') ? `${prefix}/` : (prefix ?? '');
  return `${folder}${project_id}/${source}/${name}.ndjson.gz`;
}

/** The code of an error of a store, such as `SignatureDoesNotMatch`. */
export function storeErrorCode(response: Buffer): string | undefined {
  return /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(response.toString('latin1'))?.[1];
}
