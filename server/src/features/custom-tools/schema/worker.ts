// The thread that compiles schemas, so that a hostile one costs its own tool a refusal and nobody else anything.

import { parentPort } from 'node:worker_threads';
import { instantiate, tooLarge } from './instantiate.ts';
import type { SchemaObject } from './keywords.ts';
import { type Compiled, schemaSource } from './source.ts';

parentPort?.on('message', (schema: SchemaObject) => parentPort?.postMessage(compile(schema)));

/** Tried on an empty object: a schema that cannot even be asked about that is no use, and its code is read for real here first. */
function compile(schema: SchemaObject): Compiled {
  const compiled = schemaSource(schema);
  if ('problem' in compiled || instantiate(compiled.source)({}) !== tooLarge) return compiled;
  return { problem: { field: '', message: 'refers to itself without end, or repeats too much, to check even {}' } };
}
