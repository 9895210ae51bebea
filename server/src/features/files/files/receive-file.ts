// Stores the body of a request as a file while it arrives.

import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { create } from '../../../api/create.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { showFile } from './file.ts';
import { ownerOf } from './owner.ts';
import { storeFileWith } from './store-file.ts';

export async function receiveFile(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  name = '',
): Promise<FastifyReply> {
  const { caller, headers, method, url, ip, id, raw } = request;
  if (caller.kind === 'root') throw refuse.insufficientPermissions({ details: { reason: 'root_key_calls_no_tools' } });
  const content_type = headers['content-type'];
  const { body, drain } = bodyOf(raw, () => request.reauthorize());
  try {
    const file = { name, content_type, size: announcedSize(request), body };
    return await storeFileWith(app, ownerOf(caller), file, (app, finish, written) => {
      // The bytes belong to what a repeated request has to have in common with the first one.
      const identity = { headers, method, url, ip, id, caller, body: { ...written, content_type } };
      return create(app, identity, reply, async (app) => showFile(app, await finish(app)));
    });
  } finally {
    drain();
  }
}

/** Undefined if the request does not say. */
export function announcedSize({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/**
 * The bytes of a request, and what reads the rest if somebody stops before its end: a client that is still sending does not read the
 * response. Leaving the iterator of the stream itself would close the connection. `check`: when all of it is there.
 */
export function bodyOf(stream: Readable, check: () => Promise<void> = async () => {}) {
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  async function* read(): AsyncGenerator<Uint8Array> {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    await check();
  }
  async function readRest() {
    while (!(await chunks.next()).done);
  }
  return {
    body: read(),
    drain: () => {
      // The connection is gone: nobody waits for a response.
      readRest().catch(() => {});
    },
  };
}
