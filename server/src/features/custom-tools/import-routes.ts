// POST /custom-tools/import. Its body is larger than others, JSON or multipart/form-data, and read in a worker thread.

import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { projectOf } from '../../access/caller.ts';
import { create, idempotencyHeaders } from '../../api/create.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { responsesToCreate } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { importedTools, importTools } from './openapi/import.ts';
import { MAX_IMPORT_BYTES, toolImport } from './openapi/options.ts';
import { readOffThread } from './openapi/read-off-thread.ts';

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
        preParsing: limitUploads(),
        schema: {
          operationId: 'importCustomTools',
          summary: 'Make tools from an OpenAPI document; they are created disabled',
          description:
            'Makes one tool of each operation that `include` and `exclude` select. All tools are saved, or none. Operations that cannot be tools are in `skipped` with the reason. With `dry_run` nothing is saved, and the answer is 200 with what would happen. The body may have 20 MiB, as JSON or as multipart/form-data.',
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
  const read = await readOffThread(app, caller, {
    bytes: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
    content_type: request.headers['content-type'] ?? '',
  });
  // The permit is taken only now: reading takes seconds and needs no connection.
  const withPermit = <T>(work: () => Promise<T>) =>
    caller.kind === 'root' ? work() : app.permits.run(caller.project.quota_group_id, work);
  return withPermit(async () => {
    if (read.options.dry_run) return reply.send(await importTools(withRequestOrigin(app, request), caller, read));
    const { headers, method, url, ip, id } = request;
    const { fingerprint } = read;
    return create(app, { headers, method, url, ip, id, caller, body: { fingerprint } }, reply, (app) =>
      importTools(app, caller, read),
    );
  });
}

const SMALL_BYTES = 2 ** 20;
const MAX_LARGE_UPLOADS = 8;

/** Bounds the memory for large bodies: one at a time of a quota group, and some of all. Small ones are like those of other routes. */
function limitUploads(): preParsingHookHandler {
  const underway = new Set<string>();
  return (request, reply, payload, done) => {
    const size = Number(request.headers['content-length'] ?? MAX_IMPORT_BYTES);
    if (size <= SMALL_BYTES) return done(null, payload);
    const { quota_group_id } = projectOf(request.caller);
    if (underway.has(quota_group_id) || underway.size >= MAX_LARGE_UPLOADS)
      return done(refuse.serviceUnavailable({ headers: { 'retry-after': '5' } }));
    underway.add(quota_group_id);
    reply.raw.once('close', () => underway.delete(quota_group_id));
    done(null, payload);
  };
}
