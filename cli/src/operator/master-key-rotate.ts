// toolgate master-key rotate

import type { Command } from '@commander-js/extra-typings';
import { Failure } from '../failure.ts';
import { printJson, printLine, say, wantsJson } from '../output.ts';
import { showProgress } from '../progress.ts';
import { runOperation } from './run-operation.ts';

const nextSteps = `This is a new key for TOOLGATE_MASTER_KEYS. Nothing has changed yet. To rotate:
  1. add it after the key that you have, on every server, and restart them
  2. put it first, and restart them
  3. npx toolgate master-key rotate, with the same setting: every data key is wrapped with the new key
  4. remove the old key, and restart them`;

export function addMasterKeyRotateCommand(program: Command): void {
  program
    .command('master-key')
    .description('the key that protects all stored secrets')
    .command('rotate')
    .description('wrap every data key with a new master key; the old one is kept')
    .action(async (_options, command) => {
      const { rotateMasterKey } = await import('../../../server/src/commands/rotate-master-key.ts');
      const { onProgress, end } = showProgress();
      const rotation = await runOperation((config) => rotateMasterKey(config, onProgress)).finally(end);
      if (rotation.kind === 'new_key') {
        if (wantsJson(command)) printJson(rotation);
        else printLine(rotation.new_master_key);
        return say(nextSteps);
      }
      const { master_key_id, old_master_key_ids, rewrapped, unreadable } = rotation;
      if (wantsJson(command)) printJson(rotation);
      else printLine(master_key_id);
      say(`${rewrapped} data keys moved under the master key "${master_key_id}"`);
      if (unreadable.length > 0)
        throw new Failure(`no loaded master key opens these data keys: ${unreadable.join(', ')}`);
      say(`Kept, and no longer in use: ${old_master_key_ids.join(', ')}. Backups made before need them.`);
    });
}
