// The selected operations of a document as definitions that may be saved: read, checked and compiled, in order. Runs in the
// worker thread.

import { type CustomToolDefinition, customToolRequest } from '@toolgate/contract/custom-tools/custom-tool.ts';
import type { ToolImportOptions, ToolImportSecurityScheme } from '@toolgate/contract/custom-tools/tool-import.ts';
import type { SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { ApiError, describeRefusal, invalidField } from '../../../errors/errors.ts';
import type { SecretState } from '../catalogue/auth-rules.ts';
import { checkSchema } from '../catalogue/check-schema.ts';
import { checkDefinition, compileSchemas, type Rules } from '../catalogue/definition.ts';
import type { CompileContext } from '../catalogue/fixed-arguments.ts';
import { checkResponse, listedOutputSchema } from '../catalogue/response-rules.ts';
import { definitionOf } from '../catalogue/tool.ts';
import { type ImportSecurity, readSecurity, showSchemes } from './import-security.ts';
import type { ReadBody } from './read-body.ts';
import {
  definitionFrom,
  type NamedOperation,
  type SharedFields,
  type Skipped,
  selectOperations,
  shortened,
  showOperation,
  tagsOf,
  titleOf,
} from './read-document.ts';
import { NotATool, type Reading, startOperation, startReading } from './references.ts';
import { outputSchemaOf } from './response-schema.ts';

/** More than the definitions of a project may have, which is decided when they are saved; this bounds the memory. */
const MAX_CHARACTERS = 16 * 2 ** 20;
/** For the output schemas of an import: a quarter of what the definitions of a project may have, so that it has room for the tools. */
const MAX_OUTPUT_CHARACTERS = 2 * 2 ** 20;
/** Schemas that wait for the compiler while the next operations are read. */
const COMPILING = 8;
/** With more operations than a project may have tools, nobody is told which tools are not in the document. */
const MAX_NAMES = 10_000;

/** The definition as JSON: text goes to another thread in a fraction of the time that objects take. */
export type ReadTool = {
  operation: string;
  name: string;
  definition: string;
  tags: string[];
  /** The security scheme whose secret it gets, if the document decided that. */
  scheme: string | null;
};

export type Found = { tool: ReadTool } | { skipped: Skipped };

export type Summary = {
  title: string;
  not_selected: number;
  /** For all operations; null if there are too many. */
  names: string[] | null;
  base_urls: string[];
  security_schemes: ToolImportSecurityScheme[];
  scheme_secrets: Map<string, string>;
};

type Limits = CompileContext & { rules: Rules };

export async function* readOperations({ document, options }: ReadBody, limits: Limits): AsyncGenerator<Found, Summary> {
  const shared = sharedFields(options);
  checkShared(shared, options, limits.rules);
  const { selected, not_selected, names } = selectOperations(document, options);
  const security = readSecurity(document, options, (definition, secret) =>
    checkDefinition(limits.rules, { ...sample(shared), ...definition }, secret),
  );
  const common: Common = {
    ...limits,
    shared,
    security,
    secret: secretOf(options),
    reading: startReading(document),
    outputs: options.output_schemas ? { reading: startReading(document), characters: 0 } : null,
    compiled: new Map(),
    drop: new Map(Object.entries(options.drop ?? {})),
  };
  const base_urls = new Set<string>();
  let characters = 0;
  for await (const { found, base_url } of inOrder(selected, (given) => readTool(given, common))) {
    if (base_url !== undefined) base_urls.add(base_url);
    if ('tool' in found) characters += found.tool.definition.length;
    if (characters > MAX_CHARACTERS)
      throw invalidField(
        'document',
        'results in tools of more than 16 MiB: select some operations with include or exclude',
        {
          reason: 'document_too_large',
        },
      );
    yield found;
  }
  return {
    title: titleOf(document),
    not_selected,
    names: names.length > MAX_NAMES ? null : names,
    base_urls: [...base_urls],
    security_schemes: showSchemes(security),
    scheme_secrets: new Map([...security.secrets].map(([name, { secret }]) => [name, secret])),
  };
}

const secretOf = ({ encrypted_auth_secret: text = null }: ToolImportOptions): SecretState => ({ exists: !!text, text });

function sharedFields(options: ToolImportOptions): SharedFields {
  const { base_url, auth_strategy, auth_config, require_member, context_in } = options;
  const given = { base_url, auth_strategy, auth_config, require_member, context_in };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const sample = (shared: SharedFields): CustomToolDefinition =>
  definitionOf(
    customToolRequest.parse({ name: 'sample', base_url: 'https://api.example.com', endpoint_path: '/', ...shared }),
  );

/** What is wrong for all tools is a refusal, not a reason to skip each of them. */
function checkShared(shared: SharedFields, options: ToolImportOptions, rules: Rules): void {
  const secret = options.auth_strategy === undefined ? { exists: false, text: null } : secretOf(options);
  checkDefinition(rules, sample(shared), secret);
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

type Common = Limits & {
  shared: SharedFields;
  security: ImportSecurity;
  secret: SecretState;
  reading: Reading;
  /** Counted by themselves: a response that is too large costs its output_schema only. Null: none are wanted. */
  outputs: { reading: Reading; characters: number } | null;
  compiled: Map<string, Promise<boolean>>;
  /** By the names of tools. */
  drop: ReadonlyMap<string, string[]>;
};

/** Everything before the first `await` is done in the order of the operations, so that the result does not depend on time. */
async function readTool(given: NamedOperation, common: Common): Promise<{ found: Found; base_url?: string }> {
  const operation = showOperation(given);
  try {
    const auth = common.security.authOf(given.operation);
    const fields = auth
      ? { ...common.shared, auth_strategy: auth.auth_strategy, auth_config: auth.auth_config }
      : common.shared;
    const made = definitionFrom(common.reading, given, fields, common.security.credentials);
    const definition = checkDefinition(common.rules, made, auth ? auth.secret : common.secret);
    const output_schema = outputCandidate(given, common);
    await compileOnce(common, definition.input_schema, async () => {
      await compileSchemas(common, definition);
      return true;
    });
    if (output_schema && (await compiles(common, output_schema))) definition.output_schema = output_schema;
    await addResponse(definition, common);
    common.security.countTool(given.operation);
    const scheme = auth?.scheme ?? null;
    const tool = { operation, name: given.name, definition: JSON.stringify(definition), tags: tagsOf(given), scheme };
    return {
      found: { tool },
      base_url: definition.base_url,
    };
  } catch (error) {
    return { found: { skipped: { operation, reason: shortened(reasonOf(error)) } } };
  }
}

/** What a person accepted of the proposals. */
async function addResponse(definition: CustomToolDefinition, common: Common): Promise<void> {
  const drop = common.drop.get(definition.name);
  if (drop === undefined) return;
  definition.response = { drop };
  checkResponse(definition);
  const listed = listedOutputSchema(definition);
  if (listed && !(await compiles(common, listed)))
    throw invalidField('response', 'results in an output_schema that does not compile');
}

function outputCandidate({ operation }: NamedOperation, { outputs }: Common): SchemaObject | null {
  if (!outputs) return null;
  try {
    startOperation(outputs.reading);
    const schema = outputSchemaOf(outputs.reading, operation);
    if (!schema || checkSchema(schema, 'output') !== null) return null;
    outputs.characters += JSON.stringify(schema).length;
    return outputs.characters > MAX_OUTPUT_CHARACTERS ? null : schema;
  } catch (error) {
    // All responses together are too large: the tools that follow have no output_schema.
    if (error instanceof ApiError) return null;
    throw error;
  }
}

async function compiles(common: Common, schema: SchemaObject): Promise<boolean> {
  return compileOnce(
    common,
    { output: schema },
    async () => (await common.validators.checkCompiles(schema, common.fairness_key)) === null,
  );
}

/** Many operations have the same schemas: each is compiled once for a document. */
function compileOnce({ compiled }: Common, schema: SchemaObject, compile: () => Promise<boolean>): Promise<boolean> {
  const text = JSON.stringify(schema);
  const known = compiled.get(text) ?? compile();
  compiled.set(text, known);
  return known;
}

/** Whatever concerns more than this one operation is thrown on. */
function reasonOf(error: unknown): string {
  if (error instanceof NotATool) return error.message;
  if (!(error instanceof ApiError) || error.status >= 500 || error.details.field === 'document') throw error;
  return describeRefusal(error);
}
