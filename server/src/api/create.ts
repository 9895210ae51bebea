// A POST that creates a resource. With an Idempotency-Key the response is stored, sealed, in the transaction that creates the
// resource: a retry gets the first response again, and after a crash either both exist or neither (contract 1).

import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { App } from '../app.ts';
import { transact } from '../database/transact.ts';
import { refuse } from '../errors/errors.ts';
import { scopeOf } from './idempotency-scope.ts';
import { withRequestOrigin } from './request-origin.ts';
import { openResponse, RESPONSE_RETENTION_MS, sealResponse } from './stored-response.ts';

export const idempotencyHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .optional()
    .meta({ description: 'Makes a retry return the first response again, for 24 hours' }),
});

type Request = Pick<FastifyRequest, 'headers' | 'method' | 'url' | 'body' | 'caller' | 'ip' | 'id'>;

export async function create<T extends object>(
  app: App,
  request: Request,
  reply: FastifyReply,
  make: (app: App) => Promise<T>,
  { status = 201 }: { status?: number } = {},
) {
  const key = request.headers['idempotency-key'];
  const appWithOrigin = withRequestOrigin(app, request);
  if (typeof key !== 'string') return reply.code(status).send(await make(appWithOrigin));

  const { text, replayed } = await transact(appWithOrigin, (app) => makeOnce(app, request, key, make));
  if (replayed) reply.header('idempotent-replayed', 'true');
  return reply.code(status).type('application/json; charset=utf-8').send(text);
}

async function makeOnce<T extends object>(app: App, request: Request, key: string, make: (app: App) => Promise<T>) {
  const project_id = request.caller.project?.id ?? null;
  const scope = ownerOf(request.caller);
  await lockOrRefuse(app, scope, key);

  const fingerprint = fingerprintOf(request);
  const stored = await app.database
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'answer', 'result_id', 'expires_at'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst();
  const details = { field: 'Idempotency-Key' };
  const row_key = { project_id, scope, key };
  if (stored && Date.parse(stored.expires_at) > app.now()) {
    const { answer: response, result_id } = stored;
    if (!stored.fingerprint.equals(fingerprint)) throw refuse.idempotencyKeyReused({ details });
    if (response === null) throw refuse.idempotencyResponseNotKept({ details: { ...details, id: result_id } });
    return { text: await openResponse(app, row_key, response), replayed: true };
  }

  const made: { id?: string } = await make(app);
  const text = JSON.stringify(made);
  const response = await sealResponse(app, row_key, text, { may_contain_secret: true });
  const row = {
    fingerprint,
    status: 201,
    answer: response,
    result_id: response === null ? (made.id ?? null) : null,
    expires_at: new Date(app.now() + RESPONSE_RETENTION_MS).toISOString(),
  };
  await app.database
    .insertInto('idempotency_keys')
    .values({ scope, key, ...row })
    .onConflict((conflict) => conflict.columns(['scope', 'key']).doUpdateSet(row))
    .execute();
  return { text, replayed: false };
}

/** Requests of one owner that have the same key are the same request. An account has keys of its own, and so has a member. */
function ownerOf(caller: Request['caller']): string {
  if (caller.kind === 'account') return caller.account_id;
  if (caller.kind === 'member') return scopeOf(caller.project.id, null, caller.member_id);
  return caller.project?.id ?? 'root';
}

/** The lock ends with the transaction, also after a crash, so no key stays locked. */
async function lockOrRefuse(app: App, scope: string, key: string): Promise<void> {
  const id = createHash('sha256').update(`${scope} ${key}`).digest().readBigInt64BE();
  const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${id}) as held`.execute(app.database);
  if (!rows[0]?.held)
    throw refuse.idempotencyKeyInUse({ details: { field: 'Idempotency-Key' }, headers: { 'retry-after': '1' } });
}

/** Covers the caller's permissions too, because the stored response may contain a key that has them. */
export function fingerprintOf({ method, url, body, caller, headers }: Request): Buffer {
  const rights = caller.kind === 'root' ? ['root'] : [caller.kind, ...[...caller.permissions].sort()];
  return createHash('sha256')
    .update(JSON.stringify([method, url, headers['x-project-id'], body, rights]))
    .digest();
}
