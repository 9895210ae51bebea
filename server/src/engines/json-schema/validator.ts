// Validators of tools: compiled off this thread, then used inline on every call. They are cached by their content, not by their
// project: the same schema always has the same validator, so no change makes one invalid, and it holds no secret.

import { LRUCache } from 'lru-cache';
import { createCompiler } from './compile-off-thread.ts';
import type { Finds } from './generate-code.ts';
import { type CompiledLister, type CompiledValidator, instantiate, instantiateLister } from './instantiate.ts';
import type { SchemaObject } from './keywords.ts';
import type { Problem } from './problem.ts';

type Cached = CompiledValidator | CompiledLister;

/** A usual tool takes 30 KB. */
const MAX_BYTES = 96 * 2 ** 20;
type Options = { fairness_key: string; finds: Finds };
type Make<T> = (code: string, pattern_instructions: number) => T;

export type Validators = ReturnType<typeof createValidators>;

/** `busy`: the error when too many schemas wait to be compiled. */
export function createValidators(busy: () => Error) {
  const compiler = createCompiler(busy);
  const kept = new LRUCache<string, Cached>({ maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes });
  const compiling = new Map<string, Promise<Cached>>();

  async function find<T extends Cached>(
    key: string,
    schema: SchemaObject,
    options: Options,
    make: Make<T>,
  ): Promise<T> {
    const found = kept.get(key);
    if (found) return found as T;
    let promise = compiling.get(key) as Promise<T> | undefined;
    if (!promise) {
      promise = compile(key, schema, options, make).finally(() => compiling.delete(key));
      compiling.set(key, promise);
    }
    return promise;
  }

  async function compile<T extends Cached>(
    key: string,
    schema: SchemaObject,
    options: Options,
    make: Make<T>,
  ): Promise<T> {
    const compiled = await compiler.compile(schema, { ...options, purpose: 'call' });
    if ('problem' in compiled) throw new Error(`A saved schema no longer compiles: ${compiled.problem.message}`);
    const made = make(compiled.code, compiled.pattern_instructions);
    kept.set(key, made);
    return made;
  }

  return {
    /** For a schema that has passed checkSchema and is about to be saved: why it does not compile, or null. */
    async checkCompiles(schema: SchemaObject, fairness_key: string): Promise<Problem | null> {
      const compiled = await compiler.compile(schema, { fairness_key, purpose: 'save' });
      return 'problem' in compiled ? compiled.problem : null;
    },
    /**
     * For a schema that checkCompiles accepted; concurrent callers share one compilation. The key must identify the schema: the
     * definition hash of its tool, and which of the two schemas it is.
     */
    validatorFor: (key: string, schema: SchemaObject, fairness_key: string): Promise<CompiledValidator> =>
      find(key, schema, { fairness_key, finds: 'first' }, instantiate),
    /** The same, for a value that the validator has refused. */
    listerFor: (key: string, schema: SchemaObject, fairness_key: string): Promise<CompiledLister> =>
      find(`${key} all`, schema, { fairness_key, finds: 'all' }, instantiateLister),
    close: compiler.close,
  };
}
