// toolgate signing-keys rotate: new keys for the JWTs with which toolgate tells the customer's API for whom it calls.

import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Context } from '../context.ts';
import { printJson, printLine, say, wantsJson } from '../output.ts';
import { runOperation } from './run-operation.ts';

const DAY_S = 86_400;

export function addSigningKeysCommand(program: Command, context: Context): void {
  program
    .command('signing-keys')
    .description('the keys that sign JWTs for your APIs')
    .command('rotate')
    .description(
      'create a new key, for --project or for every project that has one; the old one stays published for a while',
    )
    .option('--overlap-seconds <seconds>', 'how long the old key stays published', readSeconds, DAY_S)
    .action(async ({ overlapSeconds }, command) => {
      const { rotateKeys } = await import('../../../server/src/commands/rotate-signing-keys.ts');
      const given = (command.optsWithGlobals() as { project?: string }).project;
      const project = given ?? (context.environment.TOOLGATE_PROJECT || undefined);
      const input = { project_id: project, overlap_seconds: overlapSeconds };
      const rotated = await runOperation(context, (config) => rotateKeys(config, input));
      if (wantsJson(command)) return printJson(context, rotated);
      for (const { project_id, kid } of rotated) printLine(context, `${project_id} ${kid}`);
      say(context, `${rotated.length} new ${rotated.length === 1 ? 'key signs' : 'keys sign'} now.`);
    });
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d{1,7}$/.test(text) || seconds > 30 * DAY_S)
    throw new InvalidArgumentError('It must be a number of seconds, at most 30 days.');
  return seconds;
}
