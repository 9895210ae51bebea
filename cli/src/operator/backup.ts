// toolgate backup FILE

import type { Command } from '@commander-js/extra-typings';
import { environment } from '../environment.ts';
import { printJson, printLine, say, wantsJson } from '../output.ts';
import { showProgress } from '../progress.ts';
import { runOperation } from './run-operation.ts';

export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .description('write the whole installation into one file; the service may run')
    .argument('<file>', 'the file to write, mode 600')
    .option('--without-keys', 'leave out the master key and the root key')
    .option('--logical', 'do not use pg_dump, so that restoring needs no pg_restore')
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', '\nUses the settings of the server: TOOLGATE_DATA_DIR or DATABASE_URL, TOOLGATE_MASTER_KEYS.')
    .action(async (file, { withoutKeys = false, logical = false, force = false }, command) => {
      const { backUp } = await import('../../../server/src/commands/backup.ts');
      const { onProgress, end } = showProgress();
      const result = await runOperation((config) =>
        backUp(config, file, {
          without_keys: withoutKeys,
          is_logical: logical,
          may_overwrite: force,
          environment,
          onProgress,
        }),
      ).finally(end);
      if (wantsJson(command)) return printJson(result);
      printLine(result.file);
      const how = result.data === 'pg_dump' ? 'by pg_dump' : 'as a logical dump';
      say(`backed up ${how}: ${result.bytes.toLocaleString('en')} bytes`);
      say(
        result.has_keys
          ? 'The file holds the master key: protect it like the secrets.'
          : 'The file holds no keys: store the master key elsewhere, restoring needs it.',
      );
    });
}
