// The program: its commands and its global options.

import { Command } from '@commander-js/extra-typings';
import { version } from '../../server/src/installation.ts';
import type { AddCommand, Group } from './command.ts';
import { addCompletionCommand } from './completion.ts';
import { addApplyCommand } from './config/apply.ts';
import { addExportCommand } from './config/export.ts';
import type { Context } from './context.ts';
import { crudCommands } from './crud.ts';
import { audit } from './operator/audit.ts';
import { addBackupCommand } from './operator/backup.ts';
import { addDoctorCommand } from './operator/doctor.ts';
import { addMasterKeyRotateCommand } from './operator/master-key-rotate.ts';
import { addMigrateCommand } from './operator/migrate.ts';
import { addOwnerCommand } from './operator/owner.ts';
import { addRebuildRollupsCommand } from './operator/rebuild-rollups.ts';
import { addRestoreCommand } from './operator/restore.ts';
import { addSetupLinkCommand } from './operator/setup-link.ts';
import { addSigningKeysCommand } from './operator/signing-keys.ts';
import { addStartCommand } from './operator/start.ts';
import { say, write } from './output.ts';
import { redact } from './redact.ts';
import { analytics } from './resources/analytics.ts';
import { approvals } from './resources/approvals.ts';
import { assertionKeys } from './resources/assertion-keys.ts';
import { calls } from './resources/calls.ts';
import { certificates } from './resources/certificates.ts';
import { directory } from './resources/directory.ts';
import { events, requests } from './resources/events.ts';
import { files } from './resources/files.ts';
import { hooks } from './resources/hooks.ts';
import { keys } from './resources/keys.ts';
import { limits } from './resources/limits.ts';
import { logStreams } from './resources/log-streams.ts';
import { mcpServers } from './resources/mcp-servers.ts';
import { members } from './resources/members.ts';
import { oauthClients, oauthProviders } from './resources/oauth.ts';
import { projects } from './resources/projects.ts';
import { tasks } from './resources/tasks.ts';
import { tools } from './resources/tools.ts';
import { access, toolsets } from './resources/toolsets.ts';
import { webhooks } from './resources/webhooks.ts';

/** In the order of the help. A resource with nothing but the usual commands is described here. */
const commands: readonly (AddCommand | Group)[] = [
  addStartCommand,
  addDoctorCommand,
  addMigrateCommand,
  addOwnerCommand,
  addSetupLinkCommand,
  audit,
  addMasterKeyRotateCommand,
  addSigningKeysCommand,
  addBackupCommand,
  addRestoreCommand,
  addRebuildRollupsCommand,
  projects,
  keys,
  tools,
  toolsets,
  access,
  limits,
  mcpServers,
  approvals,
  directory,
  files,
  hooks,
  certificates,
  calls,
  tasks,
  analytics,
  webhooks,
  logStreams,
  members,
  {
    name: 'integrations',
    description: 'integrations; create their keys with keys create',
    commands: crudCommands('Integration', {
      columns: ['id', 'name', 'description', 'created_at'],
      flags: ['name', 'description'],
    }),
  },
  assertionKeys,
  oauthProviders,
  oauthClients,
  events,
  requests,
  addExportCommand,
  addApplyCommand,
  addCompletionCommand,
];

export function createProgram(context: Context): Command {
  const program = new Command('toolgate');
  program
    .description('Let AI models call your HTTPS APIs as tools.')
    .version(version, '-V, --version', 'print the version')
    .option(
      '--url <url>',
      'the URL of toolgate (TOOLGATE_URL; default: the server of this folder, or http://127.0.0.1:3000)',
    )
    .option('--key <key>', 'the API key or the root key (TOOLGATE_API_KEY)')
    .option('--project <id>', "the project (TOOLGATE_PROJECT); not needed with a project's key")
    .option('--json', 'print data as JSON')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help to see the usage.')
    // A mistyped option is repeated with its value, which may be a key.
    .configureOutput({
      writeOut: (text) => write(context.stdout, text),
      writeErr: (text) => write(context.stderr, text),
      outputError: (text) => say(context, redact(context, text.trimEnd())),
    })
    .exitOverride();
  for (const each of commands) {
    if (typeof each === 'function') each(program, context);
    else addGroup(program, each, context);
  }
  return program;
}

function addGroup(program: Command, { name, description, commands }: Group, context: Context): void {
  const group = program.command(name).description(description);
  for (const add of commands) add(group, context);
}
