// /projects/{id}/tool-calls: the call log.

import type { Api, CallOptions } from '../api.ts';
import { streamEvents } from '../event-stream.ts';
import { type List, list } from '../page.ts';
import { path } from '../path.ts';
import type { Query, Schema } from './schema.ts';

export type ToolCall = Schema<'ToolCallEntry'>;
export type ToolCallDetails = Schema<'ToolCallDetails'>;

export type StreamOptions = Pick<CallOptions, 'signal'> & {
  /** Begins after this call; with now by default. */
  lastEventId?: string | undefined;
};

export type ToolCalls = {
  list(filters?: Query<'listToolCalls'>, options?: CallOptions): List<ToolCall>;
  get(id: string, options?: CallOptions): Promise<ToolCallDetails>;
  /** Yields calls as they are made, until you leave the loop or abort. Reconnects without losing a call. */
  stream(filters?: Query<'streamToolCalls'>, options?: StreamOptions): AsyncGenerator<ToolCall>;
};

export function toolCalls(api: Api): ToolCalls {
  const base = () => path`/projects/${api.projectId()}/tool-calls`;
  return {
    list: (filters, options) => list(api, { path: base, query: filters, options }),
    async get(id, options) {
      return api.send({ method: 'GET', path: base() + path`/${id}`, options });
    },
    stream: (filters, { signal, lastEventId } = {}) =>
      streamEvents(api, { path: () => `${base()}/stream`, query: filters, options: { signal }, lastEventId }),
  };
}
