// Validators of tools: compiled off this thread, then used inline on every call. They are cached with their tool (tool-cache.ts).

import { compileOffThread } from './compile-off-thread.ts';
import { type CompiledValidator, instantiate } from './instantiate.ts';
import type { SchemaObject } from './keywords.ts';
import type { Problem } from './problem.ts';

const compiling = new Map<string, Promise<CompiledValidator>>();

/** For a schema that has passed checkSchema and is about to be saved: why it does not compile, or null. */
export async function checkCompiles(schema: SchemaObject, quota_group_id: string): Promise<Problem | null> {
  const compiled = await compileOffThread(schema, { quota_group_id, purpose: 'save' });
  return 'problem' in compiled ? compiled.problem : null;
}

/** For a schema that checkCompiles accepted; callers at the same time share one. The key must name this very schema: its tool's definition hash and which of its two it is. */
export async function validatorFor(
  key: string,
  schema: SchemaObject,
  quota_group_id: string,
): Promise<CompiledValidator> {
  let promise = compiling.get(key);
  if (!promise) {
    promise = compile(schema, quota_group_id).finally(() => compiling.delete(key));
    compiling.set(key, promise);
  }
  return promise;
}

async function compile(schema: SchemaObject, quota_group_id: string): Promise<CompiledValidator> {
  const compiled = await compileOffThread(schema, { quota_group_id, purpose: 'call' });
  if ('problem' in compiled) throw new Error(`A saved schema no longer compiles: ${compiled.problem.message}`);
  return instantiate(compiled.code, compiled.pattern_instructions);
}
