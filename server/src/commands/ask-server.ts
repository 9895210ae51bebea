// Asks the server that runs with these settings, on its own port.

import type { Config } from '../config/config.ts';

const ANSWER_WITHIN_MS = 3_000;
const MAX_ANSWER = 2 ** 20;

export type ServerAnswer = { status: number; is_toolgate: boolean; body: unknown };

/** Null if nothing answers. Only an answer of toolgate is read. */
export async function askServer({ listen_url }: Config, path: string, key?: string): Promise<ServerAnswer | null> {
  try {
    const answer = await fetch(listen_url + path, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      redirect: 'manual',
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    });
    const is_toolgate = answer.headers.get('x-request-id')?.startsWith('req_') === true;
    const isShort = Number(answer.headers.get('content-length') ?? Number.POSITIVE_INFINITY) <= MAX_ANSWER;
    const body = is_toolgate && isShort ? await answer.json() : await answer.body?.cancel();
    return { status: answer.status, is_toolgate, body };
  } catch {
    return null;
  }
}
