// The thread that compiles schemas, so that a hostile one costs its own tool a refusal and nobody else anything.

import { parentPort } from 'node:worker_threads';
import { instantiate } from './instantiate.ts';
import type { SchemaObject } from './keywords.ts';
import { type Compiled, schemaSource } from './source.ts';

parentPort?.on('message', (schema: SchemaObject) => parentPort?.postMessage(compile(schema)));

function compile(schema: SchemaObject): Compiled {
  const compiled = schemaSource(schema);
  // One check makes the engine read the code for real, with less stack than the main thread has.
  if ('source' in compiled) instantiate(compiled.source)({});
  return compiled;
}
