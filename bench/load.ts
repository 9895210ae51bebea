// The parent's side of the load generator.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { supervise } from './processes.ts';

/** One request, sent many times. `{{name}}` in path, headers and body is replaced by the values of that name, in turn. */
export type Template = {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  body?: string;
  values: Record<string, string[]>;
  /** In the responses: a server that refuses the request would look very fast. */
  expected: string;
};

export type Burst = {
  /** For a defined template. */
  id: string;
  url: string;
  connections: number;
  /** It ends after so many requests or so much time, whichever is first. */
  count: number;
  max_ms: number;
};

export type BurstResult = { latencies: number[]; elapsed_ms: number; generator_ms: number };

export type Load = {
  define(id: string, template: Template): void;
  send(burst: Burst): Promise<BurstResult>;
  stop(): Promise<void>;
};

export function startLoad(): Load {
  const child = fork(join(import.meta.dirname, 'load-generator.ts'), { serialization: 'advanced' });
  const { stop } = supervise(child);
  return {
    define: (id, template) => void child.send({ id, template }),
    async send(burst) {
      child.send(burst);
      const [result] = (await once(child, 'message')) as [BurstResult | { error: string }];
      if ('error' in result) throw new Error(result.error);
      return result;
    },
    stop,
  };
}
