// toolgate tools import: tools from an OpenAPI document, from a file or an address.

import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { ToolImport } from '../../sdk/src/index.ts';
import type { OnProgress } from '../../server/src/commands/progress.ts';
import { projectClient } from './client.ts';
import { Failure } from './failure.ts';
import { parserOf, splitAssignment } from './fields.ts';
import { paint, printJson, printLine, say, wantsJson } from './output.ts';
import { showProgress } from './progress.ts';
import { readText } from './read-input.ts';

type Rule = { tag?: string; path?: string; method?: string; operation_id?: string };

/** The API takes no larger document. */
const LARGEST_BYTES = 20 * 1024 * 1024;
const FETCH_MS = 60_000;
/** A description with a thousand operations takes seconds, and more on a busy server. */
const IMPORT_MS = 300_000;
const keys = ['tag', 'path', 'method', 'operation_id'];

const secret = { flag: '--secret-env <name>', field: '', description: '', kind: 'environment' } as const;

export function addToolImportCommand(group: Command): void {
  const command = group
    .command('import')
    .argument('<file-or-url>', 'an OpenAPI 3.0 or 3.1 document in JSON or YAML; - for stdin')
    .description('create or update tools from an OpenAPI document; new ones are disabled')
    .option('--include <rule>', 'only operations that match, such as tag=orders,method=GET; repeat it', collectRule)
    .option('--exclude <rule>', 'no operation that matches; repeat it', collectRule)
    .option('--base-url <origin>', 'replaces the origin of the servers in the document')
    .option('--auth-strategy <name>', 'how all of these tools authenticate to your API')
    .option('--secret-env <name>', 'the environment variable that holds their secret', parserOf(secret))
    .option('--require-member', 'only members may call these tools')
    .option('--enable', 'enable these tools')
    .addOption(
      new Option('--on-conflict <what>', 'for names that the project has: update, skip or fail')
        .choices(['update', 'skip', 'fail'] as const)
        .default('update' as const),
    )
    .option('--dry-run', 'only say what would change');
  command.action(async (source, options) => {
    const { toolgate } = await projectClient(command, IMPORT_MS);
    const { onProgress, end } = showProgress();
    const read = async () => {
      const document = await readDocument(source, onProgress);
      onProgress({ step: 'import', done: 0, total: null });
      return toolgate.customTools.import({
        document,
        ...(options.include && { include: options.include }),
        ...(options.exclude && { exclude: options.exclude }),
        ...(options.baseUrl !== undefined && { base_url: options.baseUrl }),
        ...(options.authStrategy !== undefined && { auth_strategy: options.authStrategy as never }),
        ...(options.secretEnv !== undefined && { encrypted_auth_secret: String(options.secretEnv) }),
        ...(options.requireMember && { require_member: true }),
        ...(options.enable && { is_enabled: true }),
        on_conflict: options.onConflict,
        dry_run: options.dryRun === true,
      });
    };
    const answer = await read().finally(end);
    if (wantsJson(command)) printJson(answer);
    else printImport(answer);
  });
}

/** `tag=orders,method=GET`; a text without `=` is an operation id. */
function collectRule(text: string, previous: Rule[] | undefined): Rule[] {
  const parts = text.includes('=') ? text.split(',').map(splitAssignment) : [['operation_id', text] as const];
  const wrong = parts.find(([key]) => !keys.includes(key));
  if (wrong) throw new InvalidArgumentError(`A rule has ${keys.join(', ')}; not ${wrong[0]}.`);
  return [...(previous ?? []), Object.fromEntries(parts)];
}

/** The address is fetched from here, not from the server: what this machine reaches can be imported. */
async function readDocument(source: string, onProgress: OnProgress): Promise<string> {
  if (!/^https?:\/\//i.test(source)) return readText(source);
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
    if (size > LARGEST_BYTES) throw new Failure(`${source} has more than 20 MiB.`);
    parts.push(part);
    onProgress({ step: 'download', done: size, total });
  }
  return Buffer.concat(parts).toString('utf8');
}

function printImport({ dry_run, created, updated, skipped, not_selected }: ToolImport): void {
  const lines = (mark: string, colour: 'green' | 'yellow', tools: ToolImport['created']) => {
    for (const { name, method, endpoint_path } of tools)
      printLine(`${paint(process.stdout, colour, mark)} ${name}\t${method} ${endpoint_path}`);
  };
  lines('+', 'green', created);
  lines('~', 'yellow', updated);
  for (const { operation, reason } of skipped)
    printLine(`${paint(process.stdout, 'dim', '=')} ${operation}\t${reason}`);
  const counts = `${created.length} new, ${updated.length} changed, ${skipped.length} skipped, ${not_selected} not selected`;
  say(dry_run ? `Nothing was changed. It would be: ${counts}.` : `${counts}.`);
  if (created.some(({ is_enabled }) => !is_enabled))
    say('New tools are disabled: review them, then run "toolgate tools enable NAME".');
}
