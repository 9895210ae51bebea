// toolgate rebuild-rollups

import type { Command } from '@commander-js/extra-typings';
import type { RebuiltDay } from '../../../server/src/features/activity/analytics/rebuild-rollups.ts';
import type { Context } from '../context.ts';
import { printJson, printLine, say, wantsJson } from '../output.ts';
import { runOperation } from './run-operation.ts';

export function addRebuildRollupsCommand(program: Command, context: Context): void {
  program
    .command('rebuild-rollups')
    .description('correct the analytics counts from the call log; the server can be running')
    .action(async (_options, command) => {
      const { rebuildRollupsOf } = await import('../../../server/src/commands/rebuild-rollups.ts');
      const days: RebuiltDay[] = [];
      const onDay = (rebuilt: RebuiltDay) => {
        const { day, projects, corrected } = rebuilt;
        days.push(rebuilt);
        if (!wantsJson(command)) printLine(context, `${day}: ${projects} projects, ${corrected} counts corrected`);
      };
      await runOperation(context, (config) => rebuildRollupsOf(config, onDay));
      if (wantsJson(command)) printJson(context, { days });
      const corrected = days.reduce((sum, day) => sum + day.corrected, 0);
      say(context, corrected === 0 ? 'nothing to do: every count is correct' : `${corrected} counts corrected`);
    });
}
