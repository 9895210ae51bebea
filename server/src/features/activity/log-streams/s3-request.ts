// A file for an S3-compatible store: PUT of one object, signed with AWS Signature Version 4.

import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { objectTarget } from './endpoint.ts';
import type { BuildOptions, StreamRequest } from './stream-request.ts';

export async function buildS3Request(
  name: string,
  body: Buffer,
  { stream, credentials, now }: BuildOptions,
): Promise<StreamRequest> {
  const { origin, path } = objectTarget(stream.endpoint, stream.bucket ?? '', objectKey(stream, name));
  const signer = new AwsV4Signer({
    method: 'PUT',
    url: origin + path,
    service: 's3',
    region: stream.region ?? '',
    accessKeyId: stream.access_key_id ?? '',
    secretAccessKey: credentials.secret_access_key,
    // By the clock of the database: a store refuses a request that is minutes off.
    datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    headers: {
      'content-type': 'application/gzip',
      'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
    },
    body,
  });
  const { headers } = await signer.sign();
  return { method: 'PUT', origin, path, headers: Object.fromEntries(headers), body };
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
