// Runs commands inside of the process of the tests, each with streams and an environment of its own: nothing but these variables, and
// those that say where programs and temporary files are. toolgate-process.ts runs them as people do.

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { after } from 'node:test';
import { ConditionFailed, waitUntil } from '../../server/test/support/wait-until.ts';
import type { Context } from '../src/context.ts';
import { run } from '../src/run.ts';

export type Environment = Record<string, string>;

export type Ran = { code: number | null; stdout: string; stderr: string };

/** A command that goes on until it is stopped. */
export type Running = {
  output(): Omit<Ran, 'code'>;
  /** Waits until a line of stdout fulfils the condition, and returns it. */
  line(condition: (line: string) => boolean): Promise<string>;
  /** Waits until stderr has this text. */
  says(text: string): Promise<void>;
  /** As Ctrl-C does. */
  interrupt(): Promise<Ran>;
};

export const baseEnvironment = (): Environment => {
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
  return { PATH, HOME, TMPDIR };
};

export async function runToolgate(args: string[], environment: Environment = {}, input = ''): Promise<Ran> {
  return launch(args, environment, { input }).ended;
}

/** Commands of a client: with this address and key in the environment. */
export function createClient(url: string, key: string, more: Environment = {}, runCommand = runToolgate) {
  const environment = { TOOLGATE_URL: url, TOOLGATE_API_KEY: key, ...more };
  return {
    environment,
    run: (args: string[], input = '') => runCommand(args, environment, input),
    /** Expects success, and exactly one JSON value on stdout. */
    async json(args: string[], input = ''): Promise<any> {
      const { code, stdout, stderr } = await runCommand([...args, '--json'], environment, input);
      assert.equal(code, 0, `toolgate ${args.join(' ')}: ${stderr}`);
      return JSON.parse(stdout);
    },
    /** Expects this exit code, words on stderr, nothing on stdout and no stack trace. Returns the words. */
    async fails(args: string[], code: 1 | 2, input = ''): Promise<string> {
      const ran = await runCommand(args, environment, input);
      assert.deepEqual([ran.code, ran.stdout], [code, ''], `toolgate ${args.join(' ')}: ${ran.stderr}`);
      assert.match(ran.stderr, /\w/);
      assert.ok(!ran.stderr.includes('\u001b'), 'color without a terminal');
      assert.doesNotMatch(ran.stderr, /^\s+at .*:\d+:\d+\)?$/m);
      return ran.stderr;
    },
  };
}

export function startToolgate(args: string[], environment: Environment = {}): Running {
  const { output, interrupt, hasEnded, ended } = launch(args, environment);
  // A test that fails before it interrupts the command must still end.
  after(interrupt);
  return watch({ output, hasEnded, ended, interrupt });
}

/** With stdout and stderr on one terminal. */
export async function runOnTerminal(args: string[], environment: Environment = {}): Promise<Ran> {
  return launch(args, environment, { isTerminal: true }).ended;
}

/** What a test waits for while a command goes on. */
export function watch({
  output,
  hasEnded,
  ended,
  interrupt,
}: {
  output: { stdout: string; stderr: string };
  hasEnded(): boolean;
  ended: Promise<Ran>;
  interrupt(): void;
}): Running {
  const find = (condition: (line: string) => boolean) => output.stdout.split('\n').slice(0, -1).find(condition);
  const wait = (condition: () => boolean, what: string) =>
    waitUntil(
      async () => {
        if (condition()) return true;
        if (hasEnded()) throw new ConditionFailed(`the command ended: ${output.stderr}`);
        return false;
      },
      60_000,
      what,
    );
  return {
    output: () => output,
    async line(condition) {
      await wait(() => find(condition) !== undefined, 'the line is printed');
      return find(condition) ?? '';
    },
    says: (text) => wait(() => output.stderr.includes(text), `stderr has ${text}`),
    interrupt() {
      interrupt();
      return ended;
    },
  };
}

function launch(args: string[], environment: Environment, { input = '', isTerminal: isTTY = false } = {}) {
  const output = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  const streamOf = (name: 'stdout' | 'stderr') => ({
    isTTY,
    write(text: string) {
      output[isTTY ? 'stdout' : name] += text;
    },
  });
  const context: Context = {
    args,
    environment: { ...baseEnvironment(), ...environment },
    stdin: Readable.from([input]),
    stdout: streamOf('stdout'),
    stderr: streamOf('stderr'),
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  let hasEnded = false;
  const ended = run(context).then((code): Ran => {
    hasEnded = true;
    return { code, ...output };
  });
  const interrupt = () => {
    for (const listener of listeners) listener();
  };
  return { output, interrupt, hasEnded: () => hasEnded, ended };
}
