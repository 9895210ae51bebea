// Validators by the hash of the tool they belong to: compiled off this thread once, then used inline on every call.

import { LRUCache } from 'lru-cache';
import { compileOffThread } from './compile-off-thread.ts';
import { instantiate, type Validator } from './instantiate.ts';
import type { SchemaObject } from './keywords.ts';
import type { Problem } from './problem.ts';

/** Sum of the generated code, in characters. A usual tool has 5,000. */
const remembered = new LRUCache<string, Validator>({ maxSize: 50_000_000 });
const underway = new Map<string, Promise<Validator>>();

/** For a schema that has passed checkSchema and is about to be saved: the first thing wrong with it, or null. */
export async function proveSchema(schema: SchemaObject, project_id: string): Promise<Problem | null> {
  const compiled = await compileOffThread(schema, { project_id, purpose: 'save' });
  return 'problem' in compiled ? compiled.problem : null;
}

/** For a schema that proveSchema found good. The key must name this very schema: its tool's definition hash and which of its two it is. */
export async function validatorFor(key: string, schema: SchemaObject, project_id: string): Promise<Validator> {
  const known = remembered.get(key);
  if (known) return known;
  let compiling = underway.get(key);
  if (!compiling) {
    compiling = compile(key, schema, project_id).finally(() => underway.delete(key));
    underway.set(key, compiling);
  }
  return compiling;
}

async function compile(key: string, schema: SchemaObject, project_id: string): Promise<Validator> {
  const compiled = await compileOffThread(schema, { project_id, purpose: 'call' });
  if ('problem' in compiled) throw new Error(`A saved schema no longer compiles: ${compiled.problem.message}`);
  const validator = instantiate(compiled.source);
  remembered.set(key, validator, { size: compiled.source.length });
  return validator;
}
