// toolgate rebuild-rollups

import type { Command } from '@commander-js/extra-typings';
import type { RebuiltDay } from '../../../server/src/features/activity/analytics/rebuild-rollups.ts';
import { printJson, printLine, say, wantsJson } from '../output.ts';
import { runOperation } from './run-operation.ts';

export function addRebuildRollupsCommand(program: Command): void {
  program
    .command('rebuild-rollups')
    .description('make the counts of analytics equal to the call log; the service may run')
    .action(async (_options, command) => {
      const { rebuildRollupsOf } = await import('../../../server/src/commands/rebuild-rollups.ts');
      const days: RebuiltDay[] = [];
      const onDay = (rebuilt: RebuiltDay) => {
        const { day, projects, corrected } = rebuilt;
        days.push(rebuilt);
        if (!wantsJson(command)) printLine(`${day}: ${projects} projects, ${corrected} counts corrected`);
      };
      await runOperation((config) => rebuildRollupsOf(config, onDay));
      if (wantsJson(command)) printJson({ days });
      const corrected = days.reduce((sum, day) => sum + day.corrected, 0);
      say(corrected === 0 ? 'nothing to do: every count is right' : `${corrected} counts corrected`);
    });
}
