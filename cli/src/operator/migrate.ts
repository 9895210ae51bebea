// toolgate migrate [--dry-run]

import type { Command } from '@commander-js/extra-typings';
import { printJson, printLine, say, wantsJson } from '../output.ts';
import { runOperation } from './run-operation.ts';

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('run the missing migrations, as every start does')
    .option('--dry-run', 'only list them')
    .action(async ({ dryRun = false }, command) => {
      const { migrateDatabase } = await import('../../../server/src/commands/migrate-database.ts');
      const onWait = (name: string) => say(`${name} waits for a table that a backup or a long query uses`);
      const migrations = await runOperation((config) => migrateDatabase(config, { dry_run: dryRun, onWait }));
      if (wantsJson(command)) printJson({ dry_run: dryRun, migrations });
      else for (const name of migrations) printLine(name);
      const count = `${migrations.length} ${migrations.length === 1 ? 'migration' : 'migrations'}`;
      if (migrations.length === 0) say('nothing to do: every migration has run');
      else say(dryRun ? `${count} would run` : `${count} ran`);
    });
}
