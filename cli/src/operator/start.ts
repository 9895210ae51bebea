// toolgate start: the server. cli/bin/toolgate.cjs starts it without loading the command line; here is its place in the help.

import type { Command } from '@commander-js/extra-typings';
import { UsageError } from '../failure.ts';

export function addStartCommand(program: Command): void {
  program
    .command('start')
    .description('start the server; settings are environment variables (npx toolgate start --help lists them)')
    .action(() => {
      throw new UsageError('start accepts no options except --help: run npx toolgate start');
    });
}
