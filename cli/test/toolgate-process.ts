// Runs the command line as people do: compiled, as a process of its own, with nothing but these variables in its environment.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after } from 'node:test';
import { compiledFile } from '../../server/test/support/servers/compiled-package.ts';
import { baseEnvironment, type Environment, type Ran, type Running, watch } from './run-toolgate.ts';

const root = join(import.meta.dirname, '../..');
export const toolgate = [process.execPath, compiledFile('cli/bin/toolgate.cjs')];

export async function runProcess(args: string[], environment: Environment = {}, input = ''): Promise<Ran> {
  const { child, ended } = launch([...toolgate, ...args], environment);
  child.stdin.end(input);
  return ended;
}

export function startProcess(args: string[], environment: Environment = {}): Running & { pid: number } {
  const { child, output, ended } = launch([...toolgate, ...args], environment);
  // A test that fails before it interrupts the command must still end.
  after(() => child.kill('SIGKILL'));
  const hasEnded = () => child.exitCode !== null;
  const running = watch({ output, hasEnded, ended, interrupt: () => void child.kill('SIGINT') });
  return { ...running, pid: child.pid as number };
}

/** On a pseudo-terminal, where stdout and stderr are one. "script" is of util-linux. */
export async function runOnPseudoTerminal(args: string[], environment: Environment = {}): Promise<Ran> {
  const command = [...toolgate, ...args].map((word) => `'${word}'`).join(' ');
  const { child, ended } = launch(['script', '--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    TERM: 'xterm-256color',
    ...environment,
  });
  child.stdin.end();
  return ended;
}

function launch([program = '', ...args]: string[], environment: Environment) {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...baseEnvironment(), ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {}); // a command that reads no input may end before it is written
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (part: string) => {
      output[name] += part;
    });
  }
  // 'close', not 'exit': only then is the output complete.
  const ended = once(child, 'close').then(([code]): Ran => ({ code, ...output }));
  return { child, output, ended };
}
