// A log stream: where the call log or the audit log of a project is sent as it grows. What is sent to create, change and try one.

import { z } from 'zod';
import { certificateId as certificate_id } from '../certificates/field.ts';
import { limitedText, resourceHistory, name as resourceName, secretOverlap, timestamp } from '../fields.ts';
import {
  DEFAULT_REGION,
  foreignField,
  type LogStreamKind,
  logStreamDisabledReasons,
  logStreamErrorCodes,
  logStreamKinds,
  logStreamSources,
  logStreamTestSteps,
  MAX_FLUSH_SECONDS,
  MIN_FLUSH_SECONDS,
  missingField,
} from './rules.ts';

const MAX_URL = 2_048;

const name = resourceName.meta({ example: 'Calls to the data lake' });
const kind = z.enum(logStreamKinds).meta({
  description:
    'How entries are sent. `otlp_http`: OpenTelemetry logs over HTTP, as JSON. `s3`: gzipped NDJSON files in an S3-compatible bucket. `https`: signed JSON batches to your own URL',
  example: 'https',
});
const source = z.enum(logStreamSources).meta({
  description: 'Which log to send: tool calls, or changes to the project',
});
const is_enabled = z
  .boolean()
  .meta({ description: 'Whether entries are sent. A stream that is enabled again continues where it stopped' });
const flush_seconds = z.int().min(MIN_FLUSH_SECONDS).max(MAX_FLUSH_SECONDS).meta({
  description:
    'The longest time to collect entries before they are sent, 5 to 3,600; default: 3,600 for `s3`, otherwise 5',
  example: MIN_FLUSH_SECONDS,
});

/** The server refuses addresses of private networks besides. */
const endpoint = limitedText(MAX_URL, `must have at most ${MAX_URL} characters`).nullable().meta({
  description:
    "HTTPS URL outside of private networks. `https`: where batches are sent. `otlp_http`: the base URL of a collector, or its logs URL; `/v1/logs` is appended unless the path ends with it. `s3`: the store's URL, default: Amazon S3 in the region; the bucket becomes part of the path",
  example: 'https://logs.example.com/toolgate',
});
const headers = z.record(z.string(), z.string()).meta({
  description:
    '`otlp_http` and `https`: headers sent with every request, such as an Authorization header. At most 10; names of up to 64 characters, values of up to 1,024 visible ASCII characters. Stored encrypted; only the names are shown',
  example: { Authorization: 'Bearer the-token-of-your-collector' },
});
const bucket = limitedText(63)
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){1,61}[A-Za-z0-9]$/, 'must be a valid bucket name')
  .nullable()
  .meta({ description: '`s3`: an existing bucket', example: 'example-logs' });
const region = limitedText(64)
  .regex(/^[A-Za-z0-9-]+$/, 'must be letters, digits and hyphens')
  .nullable()
  .meta({
    description: `\`s3\`: the region that requests are signed for, default: ${DEFAULT_REGION}`,
    example: 'eu-central-1',
  });
const prefix = limitedText(256)
  .regex(/^(?:[\w=-][\w.=-]*\/)*(?:[\w=-][\w.=-]*)?$/, 'must be letters, digits, and _ . = - in parts separated by /')
  .nullable()
  .meta({ description: '`s3`: a prefix for object names, such as a folder', example: 'toolgate/' });
const access_key_id = limitedText(128)
  .regex(/^[\x21-\x2b\x2d\x2e\x30-\x7e]+$/, 'must be visible ASCII characters without comma and slash')
  .nullable()
  .meta({ description: '`s3`: the access key id', example: 'AKIAIOSFODNN7EXAMPLE' });
const secret_access_key = limitedText(512)
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters')
  .nullable()
  .meta({
    description: '`s3`: the secret access key. Stored encrypted and never shown',
    example: 'secret-of-the-access-key',
  });

export const logStreamError = z
  .strictObject({
    code: z.enum(logStreamErrorCodes).meta({
      description:
        'What went wrong: the `address` is not allowed, no `connection`, a `timeout`, a `status` other than 2xx, entries `rejected` by a collector, a `secret` that cannot be decrypted, a `chain` of the audit log that was changed in the database, or an `internal` error',
    }),
    message: z.string().meta({ description: 'The error as a sentence' }),
    status: z.int().nullable().meta({ description: 'The status of the response, if there was one' }),
    created_at: timestamp,
  })
  .meta({ id: 'LogStreamError' });

export type LogStreamError = z.infer<typeof logStreamError>;

export const logStream = z
  .strictObject({
    id: z.string(),
    object: z.literal('log_stream'),
    project_id: z.string(),
    name,
    kind,
    source,
    endpoint: z.string().meta({ description: 'Where entries are sent', example: 'https://logs.example.com/toolgate' }),
    header_names: z.array(z.string()).meta({
      description: 'Names of the headers sent with every request. Their values are not shown',
      example: ['Authorization'],
    }),
    bucket,
    region,
    prefix,
    access_key_id,
    certificate_id,
    flush_seconds,
    is_enabled,
    disabled_reason: z
      .enum(logStreamDisabledReasons)
      .nullable()
      .meta({ description: 'Why the stream was disabled: it failed for five days' }),
    lag_seconds: z.int().meta({
      description: 'The age of the oldest entry that the receiver has not accepted; 0 if it accepted all of them',
    }),
    failing_since: timestamp
      .nullable()
      .meta({ description: 'Every attempt since this time has failed; null if the last attempt succeeded' }),
    last_error: logStreamError.nullable().meta({ description: 'The latest failure since the last success' }),
    previous_secret_ends_at: timestamp
      .nullable()
      .meta({ description: '`https`: the previous secret also signs requests until this time' }),
    last_sent_at: timestamp.nullable().meta({ description: 'When the receiver last accepted entries' }),
    last_entry_id: z.string().nullable().meta({ description: 'Id of the last entry that it accepted' }),
    ...resourceHistory,
  })
  .meta({ id: 'LogStream' });

export type LogStream = z.infer<typeof logStream>;

export const newLogStream = logStream
  .extend({
    secret: z.string().nullable().meta({
      description: '`https`: the secret that signs requests. Shown only once. Null for other kinds',
      example: 'whsec_…',
    }),
  })
  .meta({ id: 'NewLogStream' });

export type NewLogStream = z.infer<typeof newLogStream>;

const changeable = {
  endpoint,
  headers,
  bucket,
  region,
  prefix,
  access_key_id,
  secret_access_key,
  certificate_id,
  flush_seconds,
};

export const logStreamRequest = z
  .strictObject({
    name: name.optional().meta({ description: 'A name for people; default: made from source and kind' }),
    kind,
    source,
    ...z.strictObject(changeable).partial().shape,
    is_enabled: is_enabled.default(true),
  })
  .check(({ value, issues }) => {
    const problem = problemOf(value.kind, value);
    if (problem) issues.push({ code: 'custom', input: value, path: [problem.field], message: problem.message });
  })
  .meta({ id: 'LogStreamRequest' });

export type LogStreamRequest = z.infer<typeof logStreamRequest>;

function problemOf(
  kind: LogStreamKind,
  given: Record<string, unknown>,
): { field: string; message: string } | undefined {
  const foreign = foreignField(kind, given);
  if (foreign !== undefined) return { field: foreign, message: `is not a field of the kind ${kind}` };
  const missing = missingField(kind, given);
  return missing === undefined ? undefined : { field: missing, message: `is required for the kind ${kind}` };
}

export const logStreamChange = z
  .strictObject({ name, ...changeable, is_enabled })
  .partial()
  .meta({ id: 'LogStreamChange' });

export type LogStreamChange = z.infer<typeof logStreamChange>;

export const logStreamSecretRotation = z
  .strictObject({ overlap_seconds: secretOverlap('How long the old secret also signs requests; one day by default') })
  .meta({ id: 'LogStreamSecretRotation' });

export type LogStreamSecretRotation = z.infer<typeof logStreamSecretRotation>;

export const logStreamTest = z
  .strictObject({
    object: z.literal('log_stream_test'),
    log_stream_id: z.string().meta({ description: 'The tested stream' }),
    is_successful: z.boolean().meta({ description: 'Whether the receiver accepted the entry' }),
    status: z.int().nullable().meta({ description: 'The status of its response, if there was one' }),
    duration_ms: z.int().meta({ description: 'How long the request took' }),
    steps: z
      .array(
        z.strictObject({
          step: z.enum(logStreamTestSteps).meta({
            description: 'Decrypting the credentials, resolving the address, connecting with TLS, and the response',
          }),
          outcome: z.enum(['passed', 'failed', 'not_reached']).meta({ description: "The step's result" }),
          reason: z.string().nullable().meta({ description: 'Why it failed' }),
        }),
      )
      .meta({ description: 'What was checked, in order' }),
  })
  .meta({ id: 'LogStreamTest' });

export type LogStreamTest = z.infer<typeof logStreamTest>;
