// Serves POST /custom-tools/import. Its body is larger than others, JSON or multipart/form-data, and read in a worker thread.

import { toolImportRoutes } from '@toolgate/contract/custom-tools/routes.ts';
import { MAX_IMPORT_BYTES } from '@toolgate/contract/custom-tools/tool-import.ts';
import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { permitUser, projectOf } from '../../../access/caller.ts';
import { create } from '../../../api/create.ts';
import { implement } from '../../../api/implement.ts';
import { withRequestOrigin } from '../../../api/request-origin.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { busy } from '../../../errors/errors.ts';
import { fetchDocument } from './fetch-document.ts';
import { importTools } from './import.ts';
import { type ReadImport, readOffThread } from './read-off-thread.ts';

export async function serveToolImport(server: Server, app: App): Promise<void> {
  await server.register(async (routes: Server) => {
    routes.removeAllContentTypeParsers();
    const contentTypes = [...toolImportRoutes.importCustomTools.consumes];
    routes.addContentTypeParser(contentTypes, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const { validatorCompiler } = routes;
    routes.setValidatorCompiler((route) =>
      route.httpPart === 'body'
        ? (value) => ({ value })
        : (validatorCompiler as NonNullable<typeof validatorCompiler>)(route),
    );
    routes.addHook('preParsing', limitUploads(app));
    implement(
      routes,
      app,
      toolImportRoutes,
      { importCustomTools: (app, { raw, reply }) => handleImport(app, raw, reply) },
      { importCustomTools: { database_permit: false, body_limit: MAX_IMPORT_BYTES, handles_idempotency_key: true } },
    );
  });
}

/** Sends the response: its status depends on whether it is a dry run. */
async function handleImport(app: App, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { caller } = request;
  const read = await readImport(app, request, reply);
  // The permit is taken only now: reading takes seconds and needs no connection.
  const withPermit = <T>(work: () => Promise<T>) =>
    caller.kind === 'root' ? work() : app.permits.run(permitUser(caller), work);
  return withPermit(async () => {
    if (read.options.dry_run) return reply.send(await importTools(withRequestOrigin(app, request), caller, read));
    const { headers, method, url, ip, id } = request;
    const { fingerprint } = read;
    return create(app, { headers, method, url, ip, id, caller, body: { fingerprint } }, reply, (app) =>
      importTools(app, caller, read),
    );
  });
}

async function readImport(app: App, request: FastifyRequest, reply: FastifyReply): Promise<ReadImport> {
  const { caller, headers } = request;
  const bytes = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
  const upload = { bytes, content_type: headers['content-type'] ?? '' };
  const read = await readOffThread(app, caller, upload);
  if (!('document_url' in read)) return read;
  takeUploadSlot(app, request, reply);
  const fetched = await fetchDocument(app, caller, read.document_url);
  return (await readOffThread(app, caller, { ...upload, fetched })) as ReadImport;
}

const SMALL_BYTES = 2 ** 20;
const MAX_LARGE_UPLOADS = 8;

/** By fairness key: the response of the request that holds it. */
const createUploadSlots = () => new Map<string, FastifyReply>();

/** Bounds the memory for large documents: one at a time for a fairness key, and some in all. Held until the response is sent. */
function takeUploadSlot(app: App, request: FastifyRequest, reply: FastifyReply): void {
  const uploadSlots = app.stateOf(createUploadSlots);
  const { fairness_key } = projectOf(request.caller);
  if (uploadSlots.get(fairness_key) === reply) return;
  if (uploadSlots.has(fairness_key) || uploadSlots.size >= MAX_LARGE_UPLOADS) throw busy();
  uploadSlots.set(fairness_key, reply);
  reply.raw.once('close', () => uploadSlots.delete(fairness_key));
}

/** Small bodies are like those of other routes. */
const limitUploads =
  (app: App): preParsingHookHandler =>
  (request, reply, payload, done) => {
    const size = Number(request.headers['content-length'] ?? MAX_IMPORT_BYTES);
    try {
      if (size > SMALL_BYTES) takeUploadSlot(app, request, reply);
      done(null, payload);
    } catch (error) {
      done(error as Error);
    }
  };
