// toolgate master-key rotate

import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { printJson, printLine, say, wantsJson } from '../output.ts';
import { showProgress } from '../progress.ts';
import { runOperation } from './run-operation.ts';

const nextSteps = `This is a new key for TOOLGATE_MASTER_KEYS. Nothing has changed yet. To rotate:
  1. add it after the key that you have, on every server, and restart them
  2. put it first, and restart them
  3. npx toolgate master-key rotate, with the same setting: every data key is rewrapped with the new key
  4. remove the old key, and restart them`;

export function addMasterKeyRotateCommand(program: Command, context: Context): void {
  program
    .command('master-key')
    .description('the key that protects all stored secrets')
    .command('rotate')
    .description('rewrap every data key with a new master key; the old one is kept')
    .action(async (_options, command) => {
      const { rotateMasterKey } = await import('../../../server/src/commands/rotate-master-key.ts');
      const { onProgress, end } = showProgress(context);
      const rotation = await runOperation(context, (config) => rotateMasterKey(config, onProgress)).finally(end);
      if (rotation.kind === 'new_key') {
        if (wantsJson(command)) printJson(context, rotation);
        else printLine(context, rotation.new_master_key);
        return say(context, nextSteps);
      }
      const { master_key_id, old_master_key_ids, rewrapped, unreadable } = rotation;
      if (wantsJson(command)) printJson(context, rotation);
      else printLine(context, master_key_id);
      say(context, `${rewrapped} data keys rewrapped with the master key "${master_key_id}"`);
      if (unreadable.length > 0)
        throw new Failure(`no loaded master key can decrypt these data keys: ${unreadable.join(', ')}`);
      say(context, `Kept, but no longer in use: ${old_master_key_ids.join(', ')}. Older backups need them.`);
    });
}
