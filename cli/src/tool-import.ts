// toolgate tools import: tools from an OpenAPI document, from a file or a URL.

import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { authStrategies, contextPlaces, importConflictRules } from '@toolgate/contract/custom-tools/rules.ts';
import type { ToolImport } from '../../sdk/src/index.ts';
import type { OnProgress } from '../../server/src/commands/progress.ts';
import { projectClient } from './client.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { collectText, readSecret, splitAssignment } from './fields.ts';
import type { Request } from './operation.ts';
import { paint, printJson, printLine, say, wantsJson } from './output.ts';
import { showProgress } from './progress.ts';
import { readText } from './read-input.ts';
import { visibleName } from './visible.ts';

type Rule = { tag?: string; path?: string; method?: string; operation_id?: string };

/** The API takes no larger document. */
const LARGEST_BYTES = 20 * 1024 * 1024;
const FETCH_MS = 60_000;
/** A description with a thousand operations takes seconds, and more on a busy server. */
const IMPORT_MS = 300_000;
const keys = ['tag', 'path', 'method', 'operation_id'];

export function addToolImportCommand(group: Command, context: Context): void {
  const command = group
    .command('import')
    .argument('<file-or-url>', 'an OpenAPI 3.0 or 3.1 document in JSON or YAML; - for stdin')
    .description('create or update tools from an OpenAPI document; new ones are disabled')
    .option('--tag <name>', 'only operations with this tag; repeatable', collectText)
    .option('--method <name>', 'only operations with this method, such as GET; repeatable', collectText)
    .addOption(
      new Option('--include <rule>', 'only operations that match, such as tag=orders,path=/v1/*; repeatable')
        .argParser(collectRule)
        .conflicts(['tag', 'method']),
    )
    .option('--exclude <rule>', 'skip operations that match; repeatable', collectRule)
    .option('--base-url <origin>', "replaces the origin in the document's servers")
    .addOption(
      new Option(
        '--auth-strategy <name>',
        'how all of these tools authenticate to your API, regardless of the document',
      ).choices(authStrategies),
    )
    .option('--auth-config <json>', 'the details of that strategy', parseJson)
    .option(
      '--secret-env <[scheme=]name>',
      'the environment variable that contains the secret, for one security scheme or for all tools; repeatable',
      (text, previous: Secrets | undefined) => collectSecret(context, text, previous),
    )
    .option('--no-output-schemas', 'do not create output schemas from the responses')
    .option('--require-member', 'only members can call these tools')
    .addOption(
      new Option(
        '--context-in <place>',
        'arguments or headers: where to send the ids of the project, integration and member',
      ).choices(contextPlaces),
    )
    .option('--enable', 'enable these tools')
    .addOption(
      new Option('--on-conflict <what>', 'for names that already exist in the project: update, skip or fail')
        .choices(importConflictRules)
        .default('update' as const),
    )
    .option('--dry-run', 'only show what would change');
  command.action(async (source, options) => {
    const { toolgate } = await projectClient(context, command, IMPORT_MS);
    const { onProgress, end } = showProgress(context);
    const read = async () => {
      const document = await readDocument(context, source, onProgress);
      onProgress({ step: 'import', done: 0, total: null });
      return toolgate.customTools.import({ document, ...requestOf(options) });
    };
    const response = await read().finally(end);
    if (wantsJson(command)) printJson(context, response);
    else printImport(context, response);
  });
}

type ImportRequest = Required<Request<'importCustomTools'>>;

type ImportOptions = {
  tag?: string[];
  method?: string[];
  include?: Rule[];
  exclude?: Rule[];
  baseUrl?: string;
  authStrategy?: ImportRequest['auth_strategy'];
  authConfig?: ImportRequest['auth_config'];
  secretEnv?: Secrets | undefined;
  outputSchemas: boolean;
  requireMember?: true;
  contextIn?: ImportRequest['context_in'];
  enable?: true;
  onConflict: ImportRequest['on_conflict'];
  dryRun?: true;
};

/** What is not given is left to the document and the API. */
function requestOf(options: ImportOptions) {
  const { all, by_scheme } = options.secretEnv ?? {};
  return {
    ...includeOf(options),
    ...(options.exclude && { exclude: options.exclude }),
    ...(options.baseUrl !== undefined && { base_url: options.baseUrl }),
    ...(options.authStrategy !== undefined && { auth_strategy: options.authStrategy }),
    ...(options.authConfig !== undefined && { auth_config: options.authConfig }),
    ...(all !== undefined && { encrypted_auth_secret: all }),
    ...(by_scheme && { auth_secrets: by_scheme }),
    ...(!options.outputSchemas && { output_schemas: false }),
    ...(options.requireMember && { require_member: true }),
    ...(options.contextIn && { context_in: options.contextIn }),
    ...(options.enable && { is_enabled: true }),
    on_conflict: options.onConflict,
    dry_run: options.dryRun === true,
  };
}

function parseJson(text: string): ImportRequest['auth_config'] {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be JSON.');
  }
}

/** An operation has one of the tags and one of the methods. */
function includeOf({ include, tag, method }: ImportOptions): { include?: Rule[] } {
  if (include) return { include };
  if (!tag && !method) return {};
  const tags: Rule[] = tag?.map((each) => ({ tag: each })) ?? [{}];
  const methods: Rule[] = method?.map((each) => ({ method: each })) ?? [{}];
  return { include: tags.flatMap((one) => methods.map((other) => ({ ...one, ...other }))) };
}

/** One for all tools, and those of the security schemes of the document. */
type Secrets = { all?: string; by_scheme?: Record<string, string> };

/** `bearerAuth=SHOP_TOKEN`, or `SHOP_TOKEN` for all tools. */
function collectSecret(context: Context, text: string, previous: Secrets | undefined): Secrets {
  if (!text.includes('=')) return { ...previous, all: readSecret(context, text) };
  const [scheme, name] = splitAssignment(text);
  return { ...previous, by_scheme: { ...previous?.by_scheme, [scheme]: readSecret(context, name) } };
}

/** `tag=orders,method=GET`; a text without `=` is an operation id. */
function collectRule(text: string, previous: Rule[] | undefined): Rule[] {
  const parts = text.includes('=') ? text.split(',').map(splitAssignment) : [['operation_id', text] as const];
  const wrong = parts.find(([key]) => !keys.includes(key));
  if (wrong) throw new InvalidArgumentError(`A rule can have ${keys.join(', ')}; not ${wrong[0]}.`);
  return [...(previous ?? []), Object.fromEntries(parts)];
}

/** The URL is fetched from here, not from the server: what this machine reaches can be imported. */
async function readDocument(context: Context, source: string, onProgress: OnProgress): Promise<string> {
  if (!/^https?:\/\//i.test(source)) return readText(context, source);
  const response = await fetch(source, { signal: AbortSignal.timeout(FETCH_MS) }).catch((error: Error) => {
    const { code, message } = (error.cause ?? error) as { code?: string; message?: string };
    throw new Failure(`${source} cannot be read: ${code ?? message}`);
  });
  if (!response.ok) throw new Failure(`${source} cannot be read: status ${response.status}`);
  const parts: Uint8Array[] = [];
  const total = Number(response.headers.get('content-length')) || null;
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > LARGEST_BYTES) throw new Failure(`${source} is larger than 20 MiB.`);
    parts.push(part);
    onProgress({ step: 'download', done: size, total });
  }
  return Buffer.concat(parts).toString('utf8');
}

function printImport(context: Context, response: ToolImport): void {
  const { dry_run, created, updated, unchanged, skipped, not_selected } = response;
  const line = (mark: string, color: 'green' | 'yellow' | 'dim', ...cells: string[]) =>
    printLine(context, `${paint(context, color, mark)} ${cells.map(visibleName).join('\t')}`);
  for (const { name, method, endpoint_path } of created) line('+', 'green', name, `${method} ${endpoint_path}`);
  for (const { name, changed_fields } of updated) line('~', 'yellow', name, changed_fields.join(', '));
  for (const { operation, reason } of skipped) line('=', 'dim', operation, reason);
  const counts = [
    `${created.length} new`,
    `${updated.length} changed`,
    `${unchanged.length} unchanged`,
    `${skipped.length} skipped`,
    `${not_selected} not selected`,
  ].join(', ');
  say(context, dry_run ? `Nothing was changed. An import would result in: ${counts}.` : `${counts}.`);
  sayWhatToDo(context, response);
}

function sayWhatToDo(context: Context, { created, not_in_document, security_schemes }: ToolImport): void {
  if (created.some(({ is_enabled }) => !is_enabled))
    say(context, 'New tools are disabled: review them, then run "npx toolgate tools enable NAME".');
  if (not_in_document.length > 0)
    say(context, `No longer in the document: ${not_in_document.map(({ name }) => visibleName(name)).join(', ')}.`);
  for (const { name, auth_strategy, has_secret, tools } of security_schemes)
    if (auth_strategy !== null && !has_secret && tools > 0) sayMissingSecret(context, visibleName(name), tools);
}

function sayMissingSecret(context: Context, scheme: string, tools: number): void {
  say(
    context,
    `${tools} tools can use the security scheme ${scheme}: set its secret with --secret-env ${scheme}=VARIABLE.`,
  );
}
