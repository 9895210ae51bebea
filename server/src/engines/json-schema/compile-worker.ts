// The thread that compiles schemas, so that a hostile one costs its own tool a refusal and nobody else anything.

import { parentPort } from 'node:worker_threads';
import { yieldToMainThread } from '../threads/priority.ts';
import { type Compiled, type Finds, generateCode } from './generate-code.ts';
import { instantiate, tooLarge } from './instantiate.ts';
import type { SchemaObject } from './keywords.ts';

/** `compiled` is null when the thread has loaded its modules and is ready. */
export type ThreadMessage = { compiled: Compiled | null; cpu_ms: number };

export type ThreadJob = { schema: SchemaObject; finds: Finds };

parentPort?.on('message', (job: ThreadJob) => post(compile(job)));
// Everything is loaded: from now on time counts against the schema.
if (parentPort) {
  yieldToMainThread();
  post(null);
}

function post(compiled: Compiled | null): void {
  const { user, system } = process.threadCpuUsage();
  const message: ThreadMessage = { compiled, cpu_ms: (user + system) / 1000 };
  parentPort?.postMessage(message);
}

/** Tried on an empty object: a schema that cannot even validate that is no use, and its code is parsed for real here first. */
function compile({ schema, finds }: ThreadJob): Compiled {
  const compiled = generateCode(schema, finds);
  if ('problem' in compiled || instantiate(compiled.code)({}) !== tooLarge) return compiled;
  return { problem: { field: '', message: 'refers to itself endlessly, or repeats too much, to check even {}' } };
}
