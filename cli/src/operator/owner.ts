// toolgate owner create|reset: an owner without the set-up link, or with a new password. The password is never an argument: arguments
// are in the history of the shell and in the list of processes.

import type { Command } from '@commander-js/extra-typings';
import type { Account } from '../../../sdk/src/index.ts';
import { printJson, say, wantsJson } from '../output.ts';
import { readText } from '../read-input.ts';
import { runOperation } from './run-operation.ts';

const PASSWORD_FILE = 'a file with the password; - for stdin';

export function addOwnerCommand(program: Command): void {
  const group = program.command('owner').description('the owners of the service; it may run');
  group
    .command('create')
    .description('create an owner of the first organization, or of a new one')
    .requiredOption('--email <email>', 'the address that the person signs in with')
    .option('--name <name>', 'the name of the person; by default the address before the @')
    .option('--organization <name>', 'create this organization, with the person as its owner')
    .option('--password-file <file>', PASSWORD_FILE, '-')
    .action(async ({ email, name, organization, passwordFile }, command) => {
      const { makeOwner } = await import('../../../server/src/commands/owner.ts');
      const password = await readPassword(passwordFile);
      show(await runOperation((config) => makeOwner(config, { email, name, organization, password })), command);
    });
  group
    .command('reset')
    .description('give a person a new password and the role of an owner; ends the sessions and turns two-factor off')
    .requiredOption('--email <email>', 'the address that the person signs in with')
    .option('--password-file <file>', PASSWORD_FILE, '-')
    .action(async ({ email, passwordFile }, command) => {
      const { giveOwnerPassword } = await import('../../../server/src/commands/owner.ts');
      const password = await readPassword(passwordFile);
      show(await runOperation((config) => giveOwnerPassword(config, { email, password })), command);
    });
}

/** Without the line break that editors and echo add. */
async function readPassword(file: string): Promise<string> {
  if (file === '-' && process.stdin.isTTY) say('Type the password, then Enter and Ctrl-D.');
  return (await readText(file)).replace(/\r?\n$/, '');
}

function show(account: Account, command: Parameters<typeof wantsJson>[0]): void {
  if (wantsJson(command)) printJson(account);
  say(`${account.email} is an owner and signs in with the new password.`);
}
