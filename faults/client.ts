// The client of the fault suite. It sends each operation to a replica that serves, as a load balancer would, and repeats it with
// the same Idempotency-Key until it knows the outcome. Every attempt is in the ledger.

import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Attempt, Ledger, Operation } from './ledger.ts';
import type { Replica } from './replica.ts';

export type Request = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Under /api/v1. */
  path: string;
  /** The bearer token. */
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
};

export type ApiResponse = Attempt & { body: any };

export type Perform = Request & {
  kind: string;
  name: string;
  /** How long it is repeated. */
  within_ms?: number;
  /** Always this one; otherwise any that serves. */
  replica?: Replica;
};

export type Client = {
  /** One request to one replica; not in the ledger. */
  send(replica: Replica, request: Request): Promise<ApiResponse>;
  /** One operation, repeated until its outcome is known, in the ledger. */
  perform(operation: Perform): Promise<Operation>;
  /** One request to one replica as an operation of the ledger. */
  sendOnce(replica: Replica, operation: Omit<Perform, 'within_ms' | 'replica'>): Promise<Operation>;
  close(): Promise<void>;
};

const ATTEMPT_WITHIN_MS = 12_000;
const PERFORM_WITHIN_MS = 20_000;
const RETRY_MS = 100;

export function createClient(replicas: readonly Replica[], ledger: Ledger): Client {
  const dispatcher = new Agent({ connections: 128, connect: { timeout: 2_000 }, pipelining: 1 });
  let turn = 0;

  function choose(): Replica {
    const serving = replicas.filter(({ is_serving }) => is_serving);
    const candidates = serving.length > 0 ? serving : replicas;
    turn += 1;
    return candidates[turn % candidates.length] as Replica;
  }

  async function send(replica: Replica, { method, path, key, body, headers }: Request): Promise<ApiResponse> {
    const started_at = performance.now();
    const ended = (
      status: number | null,
      parsed: any,
      { error_code = null as string | null, retry_after = null as string | null } = {},
    ): ApiResponse => ({
      replica: replica.name,
      started_at,
      ended_at: performance.now(),
      status,
      code: parsed?.error?.code ?? null,
      reason: parsed?.error?.details?.reason ?? error_code,
      is_refused: error_code === 'ECONNREFUSED',
      retry_after,
      body: parsed,
    });
    try {
      const response = await request(`${replica.url}/api/v1${path}`, {
        dispatcher,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ATTEMPT_WITHIN_MS),
      });
      const text = await response.body.text();
      const retry_after = response.headers['retry-after'];
      return ended(response.statusCode, text === '' ? null : JSON.parse(text), {
        retry_after: retry_after === undefined ? null : String(retry_after),
      });
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException;
      if (code === 'ECONNREFUSED') replica.is_serving = false;
      return ended(null, null, { error_code: code === undefined ? name : String(code) });
    }
  }

  async function perform({ kind, name, within_ms = PERFORM_WITHIN_MS, replica, ...rest }: Perform): Promise<Operation> {
    const operation: Operation = { kind, name, outcome: 'unknown', attempts: [], body: null };
    ledger.operations.push(operation);
    for (const deadline = performance.now() + within_ms; performance.now() < deadline; ) {
      const { body, ...attempt } = await send(replica ?? choose(), rest);
      operation.attempts.push(attempt);
      operation.body = body;
      operation.outcome = outcomeOf(operation.attempts);
      if (operation.outcome !== 'unknown') break;
      await sleep(RETRY_MS);
    }
    return operation;
  }

  async function sendOnce(
    replica: Replica,
    { kind, name, ...rest }: Omit<Perform, 'within_ms' | 'replica'>,
  ): Promise<Operation> {
    const { body, ...attempt } = await send(replica, rest);
    const operation: Operation = { kind, name, outcome: outcomeOf([attempt]), attempts: [attempt], body };
    ledger.operations.push(operation);
    return operation;
  }

  return { send, perform, sendOnce, close: () => dispatcher.destroy() };
}

/** The request may still run, or may have had its effect: the same request has to be sent again. */
const RETRYABLE = new Set(['IDEMPOTENCY_KEY_IN_USE', 'REQUEST_TIMEOUT']);

function outcomeOf(attempts: Attempt[]): Operation['outcome'] {
  const last = attempts.at(-1);
  if (!last || last.status === null || last.status >= 500 || RETRYABLE.has(last.code ?? '')) return 'unknown';
  return last.status < 400 ? 'done' : 'failed';
}
