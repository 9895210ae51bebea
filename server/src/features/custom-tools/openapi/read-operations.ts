// The selected operations of a document as definitions that may be saved: read, checked and compiled, in order. Runs in the
// worker thread.

import { ApiError, describeRefusal, invalidField } from '../../../errors.ts';
import { checkDefinition, compileSchemas, type Rules } from '../definition.ts';
import { type Definition, definitionOf, newTool } from '../tool.ts';
import type { ImportOptions } from './options.ts';
import type { ReadBody } from './read-body.ts';
import {
  definitionFrom,
  type NamedOperation,
  type SharedFields,
  type Skipped,
  selectOperations,
  shortened,
  showOperation,
} from './read-document.ts';
import { NotATool, type Reading, startReading } from './references.ts';

/** More than the definitions of a project may have, which is decided when they are saved; this bounds the memory. */
const MAX_CHARACTERS = 16 * 2 ** 20;
/** Schemas that wait for the compiler while the next operations are read. */
const COMPILING = 8;

/** The definition as JSON: text goes to another thread in a fraction of the time that objects take. */
export type ReadTool = { operation: string; name: string; definition: string };

export type Found = { tool: ReadTool } | { skipped: Skipped };

type Limits = { rules: Rules; quota_group_id: string };

export async function* readOperations({ document, options }: ReadBody, limits: Limits): AsyncGenerator<Found, number> {
  const shared = sharedFields(options);
  checkShared(shared, options, limits.rules);
  const { selected, not_selected } = selectOperations(document, options);
  const reading = startReading(document);
  const common = { ...limits, shared, secret: secretOf(options), compiled: new Map() };
  let characters = 0;
  for await (const found of inOrder(selected, (given) => readTool(reading, given, common))) {
    if ('tool' in found) characters += found.tool.definition.length;
    if (characters > MAX_CHARACTERS)
      throw invalidField(
        'document',
        'makes tools of more than 16 MiB: select some operations with include or exclude',
        {
          reason: 'document_too_large',
        },
      );
    yield found;
  }
  return not_selected;
}

const secretOf = ({ encrypted_auth_secret: text = null }: ImportOptions) => ({ exists: !!text, text });

function sharedFields({ base_url, auth_strategy, auth_config, require_member }: ImportOptions): SharedFields {
  const given = { base_url, auth_strategy, auth_config, require_member };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** What is wrong for all tools is a refusal, not a reason to skip each of them. */
function checkShared(shared: SharedFields, options: ImportOptions, rules: Rules): void {
  const sample = { name: 'sample', base_url: 'https://api.example.com', endpoint_path: '/', ...shared };
  checkDefinition(rules, definitionOf(newTool.parse(sample)), secretOf(options));
}

/** Several at once, because most of the time one waits for the compiler; the results in the order of the operations. */
async function* inOrder<In, Out>(items: Iterable<In>, work: (item: In) => Promise<Out>): AsyncGenerator<Out> {
  const underway: Promise<Out>[] = [];
  for (const item of items) {
    const result = work(item);
    result.catch(() => {}); // it is awaited below, after those before it
    underway.push(result);
    if (underway.length >= COMPILING) yield (await underway.shift()) as Out;
  }
  for (const result of underway) yield await result;
}

type Given = Limits & {
  shared: SharedFields;
  secret: ReturnType<typeof secretOf>;
  compiled: Map<string, Promise<void>>;
};

async function readTool(reading: Reading, given: NamedOperation, options: Given): Promise<Found> {
  const operation = showOperation(given);
  try {
    const definition = checkDefinition(options.rules, definitionFrom(reading, given, options.shared), options.secret);
    await compileOnce(options, definition);
    return { tool: { operation, name: given.name, definition: JSON.stringify(definition) } };
  } catch (error) {
    return { skipped: { operation, reason: shortened(reasonOf(error)) } };
  }
}

/** Many operations have the same parameters: each schema is compiled once for a document. */
function compileOnce({ compiled, quota_group_id }: Given, definition: Definition): Promise<void> {
  const text = JSON.stringify(definition.input_schema);
  const known = compiled.get(text) ?? compileSchemas(quota_group_id, definition);
  compiled.set(text, known);
  return known;
}

/** Whatever concerns more than this one operation is thrown on. */
function reasonOf(error: unknown): string {
  if (error instanceof NotATool) return error.message;
  if (!(error instanceof ApiError) || error.status >= 500 || error.details.field === 'document') throw error;
  return describeRefusal(error);
}
