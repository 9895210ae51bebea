// The program: its commands and its global options.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { addCompletionCommand } from './completion.ts';
import { addApplyCommand } from './config/apply.ts';
import { addExportCommand } from './config/export.ts';
import { addAuditCommand } from './operator/audit.ts';
import { addBackupCommand } from './operator/backup.ts';
import { addDoctorCommand } from './operator/doctor.ts';
import { addMasterKeyRotateCommand } from './operator/master-key-rotate.ts';
import { addMigrateCommand } from './operator/migrate.ts';
import { addOwnerCommand } from './operator/owner.ts';
import { addRestoreCommand } from './operator/restore.ts';
import { addSetupLinkCommand } from './operator/setup-link.ts';
import { addStartCommand } from './operator/start.ts';
import { say } from './output.ts';
import { redact } from './redact.ts';
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
  addOwnerCommand,
  addSetupLinkCommand,
  addAuditCommand,
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

export function createProgram(): Command {
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
    // A mistyped option is repeated with its value, which may be a key.
    .configureOutput({ outputError: (text) => say(redact(text.trimEnd())) })
    .exitOverride();
  for (const add of commands) add(program);
  return program;
}
