// TOOLGATE_MASTER_KEY_COMMAND: a program, such as the client of a vault, prints the master keys. It is run without a shell, so that
// nothing in its arguments is interpreted. What it prints is in no message: it may be a key.

import { spawnSync } from 'node:child_process';
import { type MasterKey, parseMasterKeys } from './master-keys.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

export function runMasterKeyCommand(
  [program = '', ...args]: readonly string[],
  report: (problem: string) => void,
): MasterKey[] {
  const { error, status, signal, stdout } = spawnSync(program, args, {
    shell: false,
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_BYTES,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ETIMEDOUT') report('did not exit within 10 seconds');
  else if (code === 'ENOBUFS') report('printed more than 64 KiB');
  else if (code !== undefined) report(`cannot be run: ${code}`);
  else if (status !== 0) report(`failed: it exited with ${status === null ? signal : `status ${status}`}`);
  else return readKeys(stdout.trim(), report);
  return [];
}

function readKeys(text: string, report: (problem: string) => void): MasterKey[] {
  const { keys, problems } = parseMasterKeys(text);
  for (const problem of problems) report(`printed invalid keys: ${problem}`);
  if (keys.length === 0 && problems.length === 0) report('printed no key');
  return keys;
}
