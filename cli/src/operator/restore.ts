// toolgate restore FILE

import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { printJson, printLine, say, wantsJson } from '../output.ts';
import { showProgress } from '../progress.ts';
import { runOperation } from './run-operation.ts';

export function addRestoreCommand(program: Command, context: Context): void {
  program
    .command('restore')
    .description('restore a backup into an empty folder or database; the server must be stopped')
    .argument('<file>', 'a file written by backup')
    .option('--replace', 'replace the data and keys of a target that is not empty')
    .addHelpText('after', "\nUses the server's settings: TOOLGATE_DATA_DIR or DATABASE_URL, TOOLGATE_MASTER_KEYS.")
    .action(async (file, { replace = false }, command) => {
      const { restore } = await import('../../../server/src/commands/restore.ts');
      const { describeAudit } = await import('../../../server/src/commands/verify-audit.ts');
      const { onProgress, end } = showProgress(context);
      const result = await runOperation(context, (config) =>
        restore(config, file, { may_replace: replace, environment: context.environment, onProgress }),
      ).finally(end);
      if (wantsJson(command)) printJson(context, result);
      else for (const line of describeAudit(result.audit)) printLine(context, line);
      say(context, `restored the backup of ${result.created_at}`);
      for (const path of result.written) say(context, `wrote ${path}`);
      if (!result.audit.is_intact) throw new Failure('the audit log of the backup is broken');
      say(context, 'The audit log is verified. Start the server: npx toolgate start');
    });
}
