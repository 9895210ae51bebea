// toolgate migrate [--dry-run]

import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../context.ts';
import { printJson, printLine, say, wantsJson } from '../output.ts';
import { runOperation } from './run-operation.ts';

export function addMigrateCommand(program: Command, context: Context): void {
  program
    .command('migrate')
    .description('run pending migrations, as every start does')
    .option('--dry-run', 'only list them')
    .action(async ({ dryRun = false }, command) => {
      const { migrateDatabase } = await import('../../../server/src/commands/migrate-database.ts');
      const onWait = (name: string) => say(context, `${name} waits for a table that a backup or a long query is using`);
      const migrations = await runOperation(context, (config) => migrateDatabase(config, { dry_run: dryRun, onWait }));
      if (wantsJson(command)) printJson(context, { dry_run: dryRun, migrations });
      else for (const name of migrations) printLine(context, name);
      const count = `${migrations.length} ${migrations.length === 1 ? 'migration' : 'migrations'}`;
      if (migrations.length === 0) say(context, 'nothing to do: every migration has run');
      else say(context, dryRun ? `${count} would run` : `${count} ran`);
    });
}
