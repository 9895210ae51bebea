// toolgate setup-link

import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { printJson, printLine, wantsJson } from '../output.ts';
import { runOperation } from './run-operation.ts';

export function addSetupLinkCommand(program: Command, context: Context): void {
  program
    .command('setup-link')
    .description('print a new link that creates the first owner, valid for 30 minutes; the server can be running')
    .action(async (_options, command) => {
      const { newSetupLink } = await import('../../../server/src/commands/owner.ts');
      const link = await runOperation(context, newSetupLink);
      if (link === null)
        throw new Failure('There is already an owner: use npx toolgate owner reset to set a new password.');
      if (wantsJson(command)) printJson(context, { link });
      else printLine(context, link);
    });
}
