// toolgate owner create|reset: an owner without the set-up link, or with a new password. The password is never an argument: arguments
// are in the history of the shell and in the list of processes.

import type { Command } from '@commander-js/extra-typings';
import type { Account } from '../../../sdk/src/index.ts';
import type { Context } from '../context.ts';
import { printJson, say, wantsJson } from '../output.ts';
import { readText } from '../read-input.ts';
import { runOperation } from './run-operation.ts';

const PASSWORD_FILE = 'a file with the password; - for stdin';

export function addOwnerCommand(program: Command, context: Context): void {
  const group = program.command('owner').description('the owners of the installation; the server can be running');
  group
    .command('create')
    .description("create an owner of the operator's organization, or of a new one")
    .requiredOption('--email <email>', 'the email address that the person signs in with')
    .option('--name <name>', "the person's name; default: the part of the email address before the @")
    .option('--organization <name>', 'create this organization, with the person as its owner')
    .option('--password-file <file>', PASSWORD_FILE, '-')
    .action(async ({ email, name, organization, passwordFile }, command) => {
      const { makeOwner } = await import('../../../server/src/commands/owner.ts');
      const password = await readPassword(context, passwordFile);
      show(
        context,
        await runOperation(context, (config) => makeOwner(config, { email, name, organization, password })),
        command,
      );
    });
  group
    .command('reset')
    .description('make a person an owner with a new password; signs them out and disables two-factor authentication')
    .requiredOption('--email <email>', 'the email address that the person signs in with')
    .option('--password-file <file>', PASSWORD_FILE, '-')
    .action(async ({ email, passwordFile }, command) => {
      const { giveOwnerPassword } = await import('../../../server/src/commands/owner.ts');
      const password = await readPassword(context, passwordFile);
      show(context, await runOperation(context, (config) => giveOwnerPassword(config, { email, password })), command);
    });
}

/** Without the line break that editors and echo add. */
async function readPassword(context: Context, file: string): Promise<string> {
  if (file === '-' && context.stdin.isTTY) say(context, 'Type the password, then Enter and Ctrl-D.');
  return (await readText(context, file)).replace(/\r?\n$/, '');
}

function show(context: Context, account: Account, command: Parameters<typeof wantsJson>[0]): void {
  if (wantsJson(command)) printJson(context, account);
  say(context, `${account.email} is an owner and signs in with the new password.`);
}
