// What a request to a receiver is made from, and what is made.

import type { Message, Method } from '../../../outbound/messages.ts';
import type { Credentials } from './credentials.ts';
import type { LogStreamRow } from './log-stream.ts';

export type BuildOptions = {
  stream: Pick<
    LogStreamRow,
    'id' | 'project_id' | 'kind' | 'source' | 'endpoint' | 'bucket' | 'region' | 'prefix' | 'access_key_id'
  >;
  credentials: Credentials;
  now: number;
  /** An entry on request, to try the stream. */
  is_test: boolean;
};

export type StreamRequest = Message & { origin: string; method: Method };
