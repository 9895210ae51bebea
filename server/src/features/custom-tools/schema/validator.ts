// Validators by the hash of the tool they belong to: compiled off this thread once, then used inline on every call.

import { LRUCache } from 'lru-cache';
import { compileOffThread } from './compile-off-thread.ts';
import { instantiate, type Validator } from './instantiate.ts';
import type { SchemaObject } from './keywords.ts';
import type { Problem } from './problem.ts';

/** Bounded by the sum of the generated code, in characters. A usual tool has 5,000. */
const cache = new LRUCache<string, Validator>({ maxSize: 50_000_000 });
const compiling = new Map<string, Promise<Validator>>();

/** For a schema that has passed checkSchema and is about to be saved: why it does not compile, or null. */
export async function checkCompiles(schema: SchemaObject, quota_group_id: string): Promise<Problem | null> {
  const compiled = await compileOffThread(schema, { quota_group_id, purpose: 'save' });
  return 'problem' in compiled ? compiled.problem : null;
}

/** For a schema that checkCompiles accepted. The key must name this very schema: its tool's definition hash and which of its two it is. */
export async function validatorFor(key: string, schema: SchemaObject, quota_group_id: string): Promise<Validator> {
  const cached = cache.get(key);
  if (cached) return cached;
  let promise = compiling.get(key);
  if (!promise) {
    promise = compile(key, schema, quota_group_id).finally(() => compiling.delete(key));
    compiling.set(key, promise);
  }
  return promise;
}

async function compile(key: string, schema: SchemaObject, quota_group_id: string): Promise<Validator> {
  const compiled = await compileOffThread(schema, { quota_group_id, purpose: 'call' });
  if ('problem' in compiled) throw new Error(`A saved schema no longer compiles: ${compiled.problem.message}`);
  const validator = instantiate(compiled.code);
  cache.set(key, validator, { size: compiled.code.length });
  return validator;
}
