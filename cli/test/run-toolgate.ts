// Runs the command line as people do, with nothing but these variables in its environment.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { compiledFile } from '../../server/test/compiled-package.ts';
import { ConditionFailed, waitUntil } from '../../server/test/wait-until.ts';

const root = join(import.meta.dirname, '../..');
export const toolgate = [process.execPath, compiledFile('cli/bin/toolgate.cjs')];

type Environment = Record<string, string>;

export type Ran = { code: number | null; stdout: string; stderr: string };

/** A command that goes on until it is stopped. */
export type Running = {
  pid: number;
  output(): Omit<Ran, 'code'>;
  /** Waits until a line of stdout fulfils the condition, and returns it. */
  line(condition: (line: string) => boolean): Promise<string>;
  /** Waits until stderr has this text. */
  says(text: string): Promise<void>;
  /** Sends SIGINT, as Ctrl-C does. */
  interrupt(): Promise<Ran>;
};

export async function runToolgate(args: string[], environment: Environment = {}, input = ''): Promise<Ran> {
  const { child, ended } = launch([...toolgate, ...args], environment);
  child.stdin.end(input);
  return ended;
}

/** Commands of a client: with this address and key in the environment. */
export function createClient(url: string, key: string, more: Environment = {}) {
  const environment = { TOOLGATE_URL: url, TOOLGATE_API_KEY: key, ...more };
  return {
    environment,
    run: (args: string[], input = '') => runToolgate(args, environment, input),
    /** Expects success, and exactly one JSON value on stdout. */
    async json(args: string[], input = ''): Promise<any> {
      const { code, stdout, stderr } = await runToolgate([...args, '--json'], environment, input);
      assert.equal(code, 0, `toolgate ${args.join(' ')}: ${stderr}`);
      return JSON.parse(stdout);
    },
    /** Expects this exit code, words on stderr, nothing on stdout and no stack trace. Returns the words. */
    async fails(args: string[], code: 1 | 2, input = ''): Promise<string> {
      const ran = await runToolgate(args, environment, input);
      assert.deepEqual([ran.code, ran.stdout], [code, ''], `toolgate ${args.join(' ')}: ${ran.stderr}`);
      assert.match(ran.stderr, /\w/);
      assert.ok(!ran.stderr.includes('\u001b'), 'color without a terminal');
      assert.doesNotMatch(ran.stderr, /^\s+at .*:\d+:\d+\)?$/m);
      return ran.stderr;
    },
  };
}

export function startToolgate(args: string[], environment: Environment = {}): Running {
  const { child, output, ended } = launch([...toolgate, ...args], environment);
  // A test that fails before it interrupts the command must still end.
  after(() => child.kill('SIGKILL'));
  const find = (condition: (line: string) => boolean) => output.stdout.split('\n').slice(0, -1).find(condition);
  const wait = (condition: () => boolean, what: string) =>
    waitUntil(
      async () => {
        if (condition()) return true;
        if (child.exitCode !== null) throw new ConditionFailed(`the command ended: ${output.stderr}`);
        return false;
      },
      30_000,
      what,
    );
  return {
    pid: child.pid as number,
    output: () => output,
    async line(condition) {
      await wait(() => find(condition) !== undefined, 'the line is printed');
      return find(condition) ?? '';
    },
    says: (text) => wait(() => output.stderr.includes(text), `stderr has ${text}`),
    interrupt() {
      child.kill('SIGINT');
      return ended;
    },
  };
}

/** Runs a command on a pseudo-terminal, where stdout and stderr are one. "script" is of util-linux. */
export async function runOnTerminal(args: string[], environment: Environment = {}): Promise<Ran> {
  const command = [...toolgate, ...args].map((word) => `'${word}'`).join(' ');
  const { child, ended } = launch(['script', '--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    TERM: 'xterm-256color',
    ...environment,
  });
  child.stdin.end();
  return ended;
}

function launch([program = '', ...args]: string[], environment: Environment) {
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
  const child = spawn(program, args, {
    cwd: root,
    env: { PATH, HOME, TMPDIR, ...environment },
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
