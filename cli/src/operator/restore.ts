// toolgate restore FILE

import type { Command } from '@commander-js/extra-typings';
import { environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import { printJson, printLine, say, wantsJson } from '../output.ts';
import { showProgress } from '../progress.ts';
import { runOperation } from './run-operation.ts';

export function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .description('restore a backup into an empty folder or database; the service must be stopped')
    .argument('<file>', 'a file that backup wrote')
    .option('--replace', 'replace the data and keys of a target that is not empty')
    .addHelpText('after', '\nUses the settings of the server: TOOLGATE_DATA_DIR or DATABASE_URL, TOOLGATE_MASTER_KEYS.')
    .action(async (file, { replace = false }, command) => {
      const { restore } = await import('../../../server/src/commands/restore.ts');
      const { describeAudit } = await import('../../../server/src/commands/verify-audit.ts');
      const { onProgress, end } = showProgress();
      const result = await runOperation((config) =>
        restore(config, file, { may_replace: replace, environment, onProgress }),
      ).finally(end);
      if (wantsJson(command)) printJson(result);
      else for (const line of describeAudit(result.audit)) printLine(line);
      say(`restored the backup of ${result.created_at}`);
      for (const path of result.written) say(`wrote ${path}`);
      if (!result.audit.is_intact) throw new Failure('the audit log of the backup is broken');
      say('The audit log is verified. Start the service: npx toolgate start');
    });
}
