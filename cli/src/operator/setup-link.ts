// toolgate setup-link

import type { Command } from '@commander-js/extra-typings';
import { Failure } from '../failure.ts';
import { printJson, printLine, wantsJson } from '../output.ts';
import { runOperation } from './run-operation.ts';

export function addSetupLinkCommand(program: Command): void {
  program
    .command('setup-link')
    .description('print a new link that creates the first owner, valid for 30 minutes; the service may run')
    .action(async (_options, command) => {
      const { newSetupLink } = await import('../../../server/src/commands/owner.ts');
      const link = await runOperation(newSetupLink);
      if (link === null)
        throw new Failure('There is an owner already: npx toolgate owner reset gives one a new password.');
      if (wantsJson(command)) printJson({ link });
      else printLine(link);
    });
}
