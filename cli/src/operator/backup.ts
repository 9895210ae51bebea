// toolgate backup FILE

import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../context.ts';
import { printJson, printLine, say, wantsJson } from '../output.ts';
import { showProgress } from '../progress.ts';
import { runOperation } from './run-operation.ts';

export function addBackupCommand(program: Command, context: Context): void {
  program
    .command('backup')
    .description('write the whole installation to one file; the server can be running')
    .argument('<file>', 'the file to write, mode 600')
    .option('--without-keys', 'leave out the master key and the root key')
    .option('--logical', 'do not use pg_dump, so that you can restore without pg_restore')
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', "\nUses the server's settings: TOOLGATE_DATA_DIR or DATABASE_URL, TOOLGATE_MASTER_KEYS.")
    .action(async (file, { withoutKeys = false, logical = false, force = false }, command) => {
      const { backUp } = await import('../../../server/src/commands/backup.ts');
      const { onProgress, end } = showProgress(context);
      const result = await runOperation(context, (config) =>
        backUp(config, file, {
          without_keys: withoutKeys,
          is_logical: logical,
          may_overwrite: force,
          environment: context.environment,
          onProgress,
        }),
      ).finally(end);
      if (wantsJson(command)) return printJson(context, result);
      printLine(context, result.file);
      const how = result.data === 'pg_dump' ? 'with pg_dump' : 'as a logical dump';
      say(context, `backed up ${how}: ${result.bytes.toLocaleString('en')} bytes`);
      say(
        context,
        result.has_keys
          ? 'The file contains the master key: protect it like your secrets.'
          : 'The file contains no keys: store the master key elsewhere, because you need it to restore.',
      );
    });
}
