// POST /custom-tools/import. Its body is larger than others, JSON or multipart/form-data, and read in a worker thread.

import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { permitGroup, projectOf } from '../../access/caller.ts';
import { create, idempotencyHeaders } from '../../api/create.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { responsesToCreate } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { fetchDocument } from './openapi/fetch-document.ts';
import { importTools } from './openapi/import.ts';
import { importedTools } from './openapi/imported-tools.ts';
import { MAX_IMPORT_BYTES, toolImport } from './openapi/options.ts';
import { type ReadImport, readOffThread } from './openapi/read-off-thread.ts';

const contentTypes = ['application/json', 'multipart/form-data'];

export async function importRoutes(server: Server, app: App): Promise<void> {
  await server.register(async (routes: Server) => {
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser(contentTypes, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const { validatorCompiler } = routes;
    routes.setValidatorCompiler((route) =>
      route.httpPart === 'body'
        ? (value) => ({ value })
        : (validatorCompiler as NonNullable<typeof validatorCompiler>)(route),
    );
    routes.post(
      '/api/v1/custom-tools/import',
      {
        config: { access: 'write', database_permit: false },
        bodyLimit: MAX_IMPORT_BYTES,
        preParsing: limitUploads,
        schema: {
          operationId: 'importCustomTools',
          summary: 'Make tools from an OpenAPI document; they are created disabled',
          description:
            'Makes one tool of each operation that `include` and `exclude` select, from a document in the body or at `document_url`. All tools are saved, or none. Operations that cannot be tools are in `skipped` with the reason. With `on_conflict` update a second import changes the tools that differ from the document and answers what changed; it never deletes one. With `dry_run` nothing is saved, and the answer is 200 with what would happen. A tool authenticates with the strategy of a security scheme for which `auth_secrets` has the secret, or with `auth_strategy`. The body may have 20 MiB, as JSON or as multipart/form-data.',
          tags: ['Custom tools'],
          consumes: contentTypes,
          headers: idempotencyHeaders,
          body: toolImport,
          response: responsesToCreate(
            { 200: importedTools, 201: importedTools },
            'baseUrlNotHttps',
            'baseUrlNotOrigin',
            'authSecretRequired',
            'nameTaken',
            'limitReached',
          ),
        },
      },
      (request, reply) => handleImport(app, request, reply),
    );
  });
}

async function handleImport(app: App, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { caller } = request;
  const read = await readImport(app, request, reply);
  // The permit is taken only now: reading takes seconds and needs no connection.
  const withPermit = <T>(work: () => Promise<T>) =>
    caller.kind === 'root' ? work() : app.permits.run(permitGroup(caller), work);
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
  takeUploadSlot(request, reply);
  const fetched = await fetchDocument(app, caller, read.document_url);
  return (await readOffThread(app, caller, { ...upload, fetched })) as ReadImport;
}

const SMALL_BYTES = 2 ** 20;
const MAX_LARGE_UPLOADS = 8;

/** Of quota groups, and whose request holds it. */
const uploadSlots = new Map<string, FastifyReply>();

/** Bounds the memory for large documents: one at a time of a quota group, and some of all. Held until the response is sent. */
function takeUploadSlot(request: FastifyRequest, reply: FastifyReply): void {
  const { quota_group_id } = projectOf(request.caller);
  if (uploadSlots.get(quota_group_id) === reply) return;
  if (uploadSlots.has(quota_group_id) || uploadSlots.size >= MAX_LARGE_UPLOADS)
    throw refuse.serviceUnavailable({ headers: { 'retry-after': '5' } });
  uploadSlots.set(quota_group_id, reply);
  reply.raw.once('close', () => uploadSlots.delete(quota_group_id));
}

/** Small bodies are like those of other routes. */
const limitUploads: preParsingHookHandler = (request, reply, payload, done) => {
  const size = Number(request.headers['content-length'] ?? MAX_IMPORT_BYTES);
  try {
    if (size > SMALL_BYTES) takeUploadSlot(request, reply);
    done(null, payload);
  } catch (error) {
    done(error as Error);
  }
};
