// Server-sent events over fetch: parses them, and connects again where the stream broke off.

import type { Api, Call, Route } from './api.ts';
import { sleep, withDeadline } from './deadline.ts';
import { TimeoutError } from './errors.ts';
import type { IdsOf } from './path.ts';
import { backoff, retryDelay } from './retry.ts';

/** The server sends a comment every 15 s: a connection without any is dead. */
const SILENCE_MS = 45_000;

type ServerEvent = { id: string; data: string };

type StreamCall<R extends Route> = Call<R> & { lastEventId: string | undefined };

/**
 * Yields the data of the events, parsed, until the caller stops or aborts. After the first connection it reconnects for as long as it
 * takes, and continues after the last event that it got. A refusal, such as 401, is thrown.
 */
export async function* streamEvents<T, R extends Route>(
  api: Api,
  route: R,
  ids: IdsOf<R>,
  { lastEventId, ...call }: StreamCall<R>,
): AsyncGenerator<T> {
  let wasOpen = false;
  for (let failures = 0; ; failures += 1) {
    const headers = { accept: 'text/event-stream', ...(lastEventId ? { 'last-event-id': lastEventId } : {}) };
    try {
      const response = await api.open(route, ids, { ...call, headers });
      wasOpen = true;
      failures = 0;
      for await (const { id, data } of readEvents(response, call.options?.signal)) {
        lastEventId = id;
        yield JSON.parse(data);
      }
    } catch (error) {
      const isTemporary = error instanceof TimeoutError || retryDelay(error, 'idempotent', failures) !== null;
      if (!wasOpen || !isTemporary) throw error;
    }
    await sleep(backoff(failures), call.options?.signal);
  }
}

/** Ends when the connection does, for whatever reason. Throws only the caller's abort. */
async function* readEvents(response: Response, signal: AbortSignal | undefined): AsyncGenerator<ServerEvent> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let rest = '';
  try {
    while (true) {
      const { done, value } = await withDeadline({ signal, timeoutMs: SILENCE_MS }, () => reader.read());
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const event of blocks.map(parseEvent)) if (event) yield event;
    }
  } catch (error) {
    if (signal?.aborted) throw error;
  } finally {
    await reader.cancel().catch(() => {}); // the connection may have failed already
  }
}

/** null: a comment. */
function parseEvent(block: string): ServerEvent | null {
  const valuesOf = (name: string) =>
    block
      .split(/\r?\n/)
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ''));
  const data = valuesOf('data');
  return data.length === 0 ? null : { id: valuesOf('id').at(-1) ?? '', data: data.join('\n') };
}
