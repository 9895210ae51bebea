// Asks the server that runs with these settings, on its own port.

import type { Config } from '../config/config.ts';

const RESPONSE_WITHIN_MS = 3_000;
const MAX_RESPONSE = 2 ** 20;

export type ServerResponse = { status: number; is_toolgate: boolean; body: unknown };

/** Null if nothing responds. Only a response of toolgate is read. */
export async function askServer({ listen_url }: Config, path: string, key?: string): Promise<ServerResponse | null> {
  try {
    const response = await fetch(listen_url + path, {
      signal: AbortSignal.timeout(RESPONSE_WITHIN_MS),
      redirect: 'manual',
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    });
    const is_toolgate = response.headers.get('x-request-id')?.startsWith('req_') === true;
    const isShort = Number(response.headers.get('content-length') ?? Number.POSITIVE_INFINITY) <= MAX_RESPONSE;
    const body = is_toolgate && isShort ? await response.json() : await response.body?.cancel();
    return { status: response.status, is_toolgate, body };
  } catch {
    return null;
  }
}
