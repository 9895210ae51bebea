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
          kty: z.literal('EC').meta({ description: 'Key type' }),
          crv: z.literal('P-256').meta({ description: 'Curve' }),
          x: z.string().meta({ description: 'X coordinate, base64url', example: '…' }),
          y: z.string().meta({ description: 'Y coordinate, base64url', example: '…' }),
          kid: z.string().meta({ description: "Id of the key, as in a signature's header", example: 'aud-…' }),
          alg: z.literal('ES256').meta({ description: 'Signature algorithm' }),
          use: z.literal('sig').meta({ description: 'The key is for signatures' }),
          retired_at: timestamp
            .nullable()
            .meta({ description: 'When it stopped signing; files it signed before can still be verified' }),
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
      'From now on, every log entry is sent to the receiver at least once and in the order it was committed. After an outage, the stream continues where it stopped, and receivers recognize duplicate entries by their ids. A batch that is not accepted is sent again at least every 60 seconds. `https` receives `{"stream_id", "first_id", "last_id", "entries": […]}`, signed like webhooks with the `secret` in the response, which is shown only once. `s3` receives a file every `flush_seconds` or 16 MB; audit log files end with the head of the hash chain, signed with a key from `GET /audit-keys`. Credentials are stored encrypted and never shown. A project can have at most 5 log streams. A credential with access to only some toolsets cannot create or change log streams: 403.',
    body: logStreamRequest,
    response: newLogStream,
    status: 201,
    errors: ['limitReached'],
    takes_idempotency_key: true,
  },
  listLogStreams: {
    method: 'GET',
    path: '/projects/:project_id/log-streams',
    access: 'admin',
    tag,
    summary: 'List log streams, newest first',
    description:
      'All log streams of the project, with how far each one lags behind and its last error. Credentials are not shown.',
    query: pageQuery,
    response: pageOf(logStream),
  },
  getLogStream: {
    method: 'GET',
    path: '/projects/:project_id/log-streams/:log_stream_id',
    access: 'admin',
    tag,
    summary: 'Get a log stream',
    description: 'One log stream, with how far it lags behind and its last error. Credentials are not shown.',
    response: logStream,
  },
  updateLogStream: {
    method: 'PATCH',
    path: '/projects/:project_id/log-streams/:log_stream_id',
    access: 'admin',
    tag,
    summary: 'Update, disable or enable a log stream',
    description:
      'Fields you leave out stay unchanged; `kind` and `source` cannot change. `headers` replaces all headers. If the origin of `endpoint` changes, you must send the headers again, because they would be sent there. The next attempt follows immediately. A stream that you enable again continues where it stopped, as far back as the log is kept, and `disabled_reason`, `failing_since` and `last_error` are cleared.',
    body: logStreamChange,
    response: logStream,
  },
  deleteLogStream: {
    method: 'DELETE',
    path: '/projects/:project_id/log-streams/:log_stream_id',
    access: 'admin',
    tag,
    summary: 'Delete a log stream',
    description: 'Nothing more is sent. Entries that were already sent stay with the receiver, and the logs stay here.',
    response: null,
  },
  rotateLogStreamSecret: {
    method: 'POST',
    path: '/projects/:project_id/log-streams/:log_stream_id/rotate-secret',
    access: 'admin',
    tag,
    summary: 'Create a new secret, shown only once; the old one also signs during the overlap',
    description:
      'For streams of the kind `https`. Until the overlap ends, one day by default, every batch is signed with both secrets, so that the receiver can switch at any time. If `overlap_seconds` is 0, only the new secret signs.',
    body: logStreamSecretRotation.optional(),
    response: newLogStream,
    status: 201,
    takes_idempotency_key: true,
  },
  testLogStream: {
    method: 'POST',
    path: '/projects/:project_id/log-streams/:log_stream_id/test',
    access: 'admin',
    tag,
    summary: 'Send a test entry to the receiver and see each step',
    description:
      'Sends the entry `{"id", "object": "log_stream_test", "stream_id", "created_at"}` in the stream\'s format and with its credentials: to a bucket as the object `test.ndjson.gz` next to the other files, to an `https` receiver with the header `x-webhook-test: true`. Always returns 200 and shows which step failed. Disabled streams can be tested too, and the test does not change the stream.',
    response: logStreamTest,
  },
  listAuditKeys: {
    method: 'GET',
    path: '/audit-keys',
    access: 'public',
    tag,
    summary: 'Get the public keys that sign audit log files',
    description:
      'A public JSON Web Key Set (RFC 7517). `npx toolgate audit verify-file` uses it to verify a file. Keep a copy to verify files without this server and its database.',
    response: auditKeys,
  },
});

export const logStreams = defineResource({
  chapters: { 'Log streams': 'The call log and the audit log, sent to your own receiver as they grow' },
  routes: logStreamRoutes,
  events: logStreamEvents,
});
