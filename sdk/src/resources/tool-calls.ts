// /projects/{id}/tool-calls: the call log, and its stream.

import type { Api, CallOptions } from '../api.ts';
import { streamEvents } from '../event-stream.ts';
import { toolCalls as generated } from '../methods.ts';
import type { StreamToolCallsQuery, ToolCallEntry } from '../types.ts';

export type StreamOptions = Pick<CallOptions, 'signal'> & {
  /** Begins after this call; with now by default. */
  lastEventId?: string | undefined;
};

type ToolCalls = ReturnType<typeof generated> & {
  /** Yields calls as they are made, until you leave the loop or abort. Reconnects without losing a call. */
  stream(filters?: StreamToolCallsQuery, options?: StreamOptions): AsyncGenerator<ToolCallEntry>;
};

const STREAM = 'GET /projects/{project_id}/tool-calls/stream';

export function toolCalls(api: Api): ToolCalls {
  return {
    ...generated(api),
    stream: (query, { signal, lastEventId } = {}) =>
      streamEvents(api, STREAM, {}, { query, options: { signal }, lastEventId }),
  };
}
