// /projects/{id}/log-streams: create, list, read, update, delete, try one. /audit-keys: the keys that sign the files of audit streams.

import { z } from 'zod';
import { pageOf, pageQuery, timestamp } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { logStreamEvents } from './events.ts';
import {
  logStream,
  logStreamChange,
  logStreamRequest,
  logStreamSecretRotation,
  logStreamTest,
  newLogStream,
} from './log-stream.ts';

const tag = 'Log streams';

const auditKeys = z
  .strictObject({
    keys: z
      .array(
        z.strictObject({
          kty: z.literal('EC').meta({ description: 'The type of the key' }),
          crv: z.literal('P-256').meta({ description: 'Its curve' }),
          x: z.string().meta({ description: 'Its point, the first half', example: '…' }),
          y: z.string().meta({ description: 'Its point, the second half', example: '…' }),
          kid: z.string().meta({ description: 'Its id, as in the header of a signature', example: 'aud-…' }),
          alg: z.literal('ES256').meta({ description: 'The algorithm of its signatures' }),
          use: z.literal('sig').meta({ description: 'What it is for' }),
          retired_at: timestamp
            .nullable()
            .meta({ description: 'Since when it signs no longer; files that it signed before can still be verified' }),
        }),
      )
      .meta({ description: 'Public keys as JWK (RFC 7517)' }),
  })
  .meta({ id: 'AuditKeys' });

export const logStreamRoutes = defineRoutes({
  createLogStream: {
    method: 'POST',
    path: '/projects/:project_id/log-streams',
    access: 'admin',
    tag,
    summary: 'Create a log stream',
    description:
      'From now on every entry of the log is sent to the receiver, in the order in which they were committed and at least once: after an outage it goes on from where it stopped, and a receiver recognizes repetitions by the ids of the entries. A batch that is not accepted is sent again at least every 60 seconds. `https` gets `{"stream_id", "first_id", "last_id", "entries": […]}`, signed like webhooks with the `secret` of the response, which is shown this once. `s3` gets a file every `flush_seconds` or 16 MB; those of the audit log end with the head of its chain, signed with a key of `GET /audit-keys`. Credentials are stored encrypted and never shown. A project has at most 5 log streams. A credential that sees only some toolsets creates and changes none: 403.',
    body: logStreamRequest,
    answer: newLogStream,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listLogStreams: {
    method: 'GET',
    path: '/projects/:project_id/log-streams',
    access: 'admin',
    tag,
    summary: 'List the log streams, newest first',
    description:
      'All log streams of the project, with how far each is behind and its last error. Credentials are not shown.',
    query: pageQuery,
    answer: pageOf(logStream),
  },
  getLogStream: {
    method: 'GET',
    path: '/projects/:project_id/log-streams/:log_stream_id',
    access: 'admin',
    tag,
    summary: 'Read a log stream',
    description: 'One log stream, with how far it is behind and its last error. Credentials are not shown.',
    answer: logStream,
  },
  updateLogStream: {
    method: 'PATCH',
    path: '/projects/:project_id/log-streams/:log_stream_id',
    access: 'admin',
    tag,
    summary: 'Change a log stream, switch it off or on',
    description:
      'Fields that are left out stay as they are; `kind` and `source` cannot change. `headers` replaces all of them, and must be given again when the origin of `endpoint` changes, because they would be sent there. The next attempt follows at once. One that is switched on goes on from where it stopped, as far as the log is kept, and `disabled_reason`, `failing_since` and `last_error` are cleared.',
    body: logStreamChange,
    answer: logStream,
  },
  deleteLogStream: {
    method: 'DELETE',
    path: '/projects/:project_id/log-streams/:log_stream_id',
    access: 'admin',
    tag,
    summary: 'Delete a log stream',
    description: 'Nothing more is sent. What was sent stays where it is, and so do the logs.',
    answer: null,
  },
  rotateLogStreamSecret: {
    method: 'POST',
    path: '/projects/:project_id/log-streams/:log_stream_id/rotate-secret',
    access: 'admin',
    tag,
    summary: 'Make a new secret, shown this once; the old one signs too during the overlap',
    description:
      'For streams of the kind `https`. Every batch is signed with both secrets until the overlap ends, one day by default, so that the receiver can change over at any moment in between. With `overlap_seconds` 0 only the new secret signs.',
    body: logStreamSecretRotation.optional(),
    answer: newLogStream,
    status: 201,
    takes_idempotency_key: true,
  },
  testLogStream: {
    method: 'POST',
    path: '/projects/:project_id/log-streams/:log_stream_id/test',
    access: 'admin',
    tag,
    summary: 'Send one test entry to the receiver, and see each step',
    description:
      'Sends an entry `{"id", "object": "log_stream_test", "stream_id", "created_at"}` in the form of the stream, with its credentials; to a bucket as the object `test.ndjson.gz` beside the files, to an `https` receiver with the header `x-webhook-test: true`. Always returns 200 and says which step failed. It works for a stream that is not enabled, and changes nothing of it.',
    answer: logStreamTest,
  },
  listAuditKeys: {
    method: 'GET',
    path: '/audit-keys',
    access: 'public',
    tag,
    summary: 'Read the public keys that sign files of the audit log',
    description:
      'A JSON Web Key Set (RFC 7517) for everyone. `npx toolgate audit verify-file` verifies a file with it: keep a copy, and files can be verified without this service and its database.',
    answer: auditKeys,
  },
});

export const logStreams = defineResource({
  chapters: { 'Log streams': 'The call log and the audit log, sent to a receiver of your own as they grow' },
  routes: logStreamRoutes,
  events: logStreamEvents,
});
