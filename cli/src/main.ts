// toolgate: the program, its global options and its exit codes. 0: done, 1: failed, 2: wrong usage.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from '@commander-js/extra-typings';
import { ToolgateError } from '../../sdk/src/index.ts';
import { addCompletionCommand } from './completion.ts';
import { addApplyCommand } from './config/apply.ts';
import { addExportCommand } from './config/export.ts';
import { Failure, UsageError } from './failure.ts';
import { addAuditVerifyCommand } from './operator/audit-verify.ts';
import { addBackupCommand } from './operator/backup.ts';
import { addDoctorCommand } from './operator/doctor.ts';
import { addMasterKeyRotateCommand } from './operator/master-key-rotate.ts';
import { addMigrateCommand } from './operator/migrate.ts';
import { addRestoreCommand } from './operator/restore.ts';
import { addStartCommand } from './operator/start.ts';
import { paint, say } from './output.ts';
import { addAssertionKeysCommand } from './resources/assertion-keys.ts';
import { addCallsCommand } from './resources/calls.ts';
import { addEventsCommand, addRequestsCommand } from './resources/events.ts';
import { addIntegrationsCommand } from './resources/integrations.ts';
import { addKeysCommand } from './resources/keys.ts';
import { addMembersCommand } from './resources/members.ts';
import { addOAuthClientsCommand, addOAuthProvidersCommand } from './resources/oauth.ts';
import { addProjectsCommand } from './resources/projects.ts';
import { addToolsCommand } from './resources/tools.ts';
import { addWebhooksCommand } from './resources/webhooks.ts';

/** In the order of the help. */
const commands: readonly ((program: Command) => void)[] = [
  addStartCommand,
  addDoctorCommand,
  addMigrateCommand,
  addAuditVerifyCommand,
  addMasterKeyRotateCommand,
  addBackupCommand,
  addRestoreCommand,
  addProjectsCommand,
  addKeysCommand,
  addToolsCommand,
  addCallsCommand,
  addWebhooksCommand,
  addMembersCommand,
  addIntegrationsCommand,
  addAssertionKeysCommand,
  addOAuthProvidersCommand,
  addOAuthClientsCommand,
  addEventsCommand,
  addRequestsCommand,
  addExportCommand,
  addApplyCommand,
  addCompletionCommand,
];

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string;
};

function createProgram(): Command {
  const program = new Command('toolgate');
  program
    .description('Gives your HTTPS APIs to AI models as tools.')
    .version(version, '-V, --version', 'print the version')
    .option('--url <url>', 'where toolgate is served (TOOLGATE_URL; http://localhost:3000 by default)')
    .option('--key <key>', 'the API key or the root key (TOOLGATE_API_KEY)')
    .option('--project <id>', 'the project (TOOLGATE_PROJECT); a key of a project needs none')
    .option('--json', 'print data as JSON')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help for the usage.')
    .exitOverride();
  for (const add of commands) add(program);
  return program;
}

async function run(args: string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed its own message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    say(`${paint(process.stderr, 'red', 'error:')} ${messageOf(error)}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof ToolgateError) {
    const { code, requestId, details } = error;
    const field = typeof details.field === 'string' ? ` (field: ${details.field})` : '';
    const hint = typeof details.hint === 'string' ? `\n${details.hint}` : '';
    const about = [code, requestId].filter((text) => text !== null).join(', ');
    return `${error.message}${field}${about ? ` [${about}]` : ''}${hint}`;
  }
  if (!(error instanceof Error)) return String(error);
  // System errors name the file or the address in their message.
  if (error instanceof Failure || error instanceof UsageError || 'syscall' in error) return error.message;
  return error.stack ?? error.message;
}

// The reader of a pipe may leave early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await run(process.argv.slice(2));
