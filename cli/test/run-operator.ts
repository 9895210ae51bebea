// Runs the command line as an operator does, with nothing but these settings in its environment.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
export const toolgate = [process.execPath, join(root, 'cli/bin/toolgate.cjs')];

export type Ran = { code: number | null; stdout: string; stderr: string };

export async function runOperator(args: string[], settings: Record<string, string> = {}): Promise<Ran> {
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
  const [program = '', script = ''] = toolgate;
  const child = spawn(program, [script, ...args], {
    cwd: root,
    env: { PATH, HOME, TMPDIR, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (part: string) => {
      output[name] += part;
    });
  }
  const [code] = await once(child, 'close');
  return { code, ...output };
}
