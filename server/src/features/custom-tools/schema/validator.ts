// Validators of tools: compiled off this thread, then used inline on every call. They are cached by their content, not by their
// project: the same schema always has the same validator, so no change makes one invalid, and it holds no secret.

import { LRUCache } from 'lru-cache';
import { compileOffThread } from './compile-off-thread.ts';
import { type CompiledValidator, instantiate } from './instantiate.ts';
import type { SchemaObject } from './keywords.ts';
import type { Problem } from './problem.ts';

/** A usual tool takes 30 KB. */
const MAX_BYTES = 96 * 2 ** 20;
const validators = new LRUCache<string, CompiledValidator>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ bytes }) => bytes,
});
const compiling = new Map<string, Promise<CompiledValidator>>();

/** For a schema that has passed checkSchema and is about to be saved: why it does not compile, or null. */
export async function checkCompiles(schema: SchemaObject, quota_group_id: string): Promise<Problem | null> {
  const compiled = await compileOffThread(schema, { quota_group_id, purpose: 'save' });
  return 'problem' in compiled ? compiled.problem : null;
}

/**
 * For a schema that checkCompiles accepted; concurrent callers share one compilation. The key must identify the schema: the
 * definition hash of its tool, and which of the two schemas it is.
 */
export async function validatorFor(
  key: string,
  schema: SchemaObject,
  quota_group_id: string,
): Promise<CompiledValidator> {
  const cached = validators.get(key);
  if (cached) return cached;
  let promise = compiling.get(key);
  if (!promise) {
    promise = compile(key, schema, quota_group_id).finally(() => compiling.delete(key));
    compiling.set(key, promise);
  }
  return promise;
}

async function compile(key: string, schema: SchemaObject, quota_group_id: string): Promise<CompiledValidator> {
  const compiled = await compileOffThread(schema, { quota_group_id, purpose: 'call' });
  if ('problem' in compiled) throw new Error(`A saved schema no longer compiles: ${compiled.problem.message}`);
  const validator = instantiate(compiled.code, compiled.pattern_instructions);
  validators.set(key, validator);
  return validator;
}
