// Serves /projects/{id}/files.

import { fileRoutes, fileUploadRoutes } from '@toolgate/contract/files/routes.ts';
import { projectOf } from '../../../access/caller.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { safeContentType } from './content-type.ts';
import { deleteFileOf } from './delete.ts';
import { showFile } from './file.ts';
import { getFile } from './find.ts';
import { receiveFile } from './receive-file.ts';
import { sendFile } from './send-file.ts';

export async function serveFiles(server: Server, app: App): Promise<void> {
  implement(
    server,
    app,
    fileRoutes,
    {
      getFile: async (app, { caller, params }) => showFile(app, await getFile(app, caller, params.file_id)),
      getFileContent: async (app, { caller, params, raw, reply }) => {
        const file = await app.permits.run(projectOf(caller), () => getFile(app, caller, params.file_id));
        return sendFile(app, reply, file, () => raw.reauthorize());
      },
      deleteFile: (app, { caller, params }) => deleteFileOf(app, caller, params.file_id),
    },
    { getFileContent: { database_permit: false } },
  );
  await server.register(async (uploads: Server) => {
    uploads.removeAllContentTypeParsers();
    // One that is not valid is that of unknown bytes: Fastify would refuse it.
    uploads.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
      headers['content-type'] = safeContentType(headers['content-type']);
      done();
    });
    // The bytes are read by the handler.
    uploads.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    implement(
      uploads,
      app,
      fileUploadRoutes,
      { uploadFile: (app, { query, raw, reply }) => receiveFile(app, raw, reply, query.name) },
      { uploadFile: { database_permit: false, handles_idempotency_key: true, has_slow_body: true } },
    );
  });
}
