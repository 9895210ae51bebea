// A new user with a folder outside of the repository, who has npm and the Node of the machine: an empty folder, in which the user
// installs the tarballs, or a clone.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after } from 'node:test';
import { freePort } from '../../server/test/support/servers/free-port.ts';
import { ConditionFailed, waitUntil } from '../../server/test/support/wait-until.ts';
import { root, run } from './packages.ts';

type Environment = Record<string, string>;
type Ran = { code: number | null; stdout: string; stderr: string };

export type Running = {
  url: string;
  output(): string;
  /** As Ctrl-C in a terminal, which reaches every process. Resolves when all have ended; npx itself ends by the signal. */
  interrupt(): Promise<void>;
};

export type User = ReturnType<typeof makeUser>;

export function makeUser({ is_empty = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-user-'));
  chmodSync(folder, 0o755); // for the embedded PostgreSQL
  const started: ChildProcess[] = [];
  after(async () => {
    for (const child of started) await interrupt(child);
    rmSync(folder, { recursive: true, force: true });
  });
  // Neither the programs of the repository nor what npm told them.
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
  const path = PATH.split(delimiter).filter((each) => !each.includes('node_modules'));
  const env = { PATH: path.join(delimiter), HOME, TMPDIR, npm_config_update_notifier: 'false' };
  if (is_empty) writeFileSync(join(folder, 'package.json'), '{"name":"consumer","private":true,"type":"module"}');
  else run('git', ['clone', '--quiet', root, folder], root);

  const launch = (command: string[], more: Environment) => {
    const [program = '', ...args] = command;
    const child = spawn(program, args, { cwd: folder, env: { ...env, ...more }, detached: true });
    started.push(child);
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (part: string) => {
        output[name] += part;
      });
    return { child, output, ended: once(child, 'close').then(([code]): Ran => ({ code, ...output })) };
  };

  return {
    folder,
    read: (file: string) => readFileSync(join(folder, file), 'utf8'),
    install: (...tarballs: string[]) =>
      run('npm', ['install', ...tarballs, '--prefer-offline', '--no-audit', '--no-fund'], folder, env),
    /** Runs a program of the machine to its end. */
    run: (command: string, ...args: string[]) => run(command, args, folder, env),
    /** `npx toolgate …`, until it ends. */
    toolgate(args: string[], more: Environment = {}): Promise<Ran> {
      const { child, ended } = launch(['npx', 'toolgate', ...args], more);
      child.stdin.end();
      return ended;
    },
    /** Expects success. */
    async succeeds(args: string[], more: Environment = {}): Promise<Ran> {
      const ran = await this.toolgate(args, more);
      assert.equal(ran.code, 0, `toolgate ${args.join(' ')}\n${ran.stdout}${ran.stderr}`);
      return ran;
    },
    /** A command that goes on until it is interrupted, when its output has this text. */
    follow(args: string[], text: string, more: Environment = {}): Promise<Omit<Running, 'url'>> {
      return this.followCommand(['npx', 'toolgate', ...args], text, more);
    },
    async followCommand(command: string[], text: string, more: Environment = {}): Promise<Omit<Running, 'url'>> {
      const { child, output } = launch(command, more);
      const all = () => output.stdout + output.stderr;
      await waitUntil(
        async () => {
          if (child.exitCode !== null) throw new ConditionFailed(`it ended:\n${all()}`);
          return all().includes(text);
        },
        600_000,
        text,
      );
      return { output: all, interrupt: () => interrupt(child) };
    },
    /** `npx toolgate start`, or another command that starts it, until it is ready. */
    async start(more: Environment = {}, command = ['npx', 'toolgate', 'start']): Promise<Running> {
      const port = String(await freePort());
      const running = await this.followCommand(command, 'toolgate listens on', { PORT: port, ...more });
      const url = `http://127.0.0.1:${port}`;
      await waitUntil(async () => (await fetch(`${url}/readyz`)).ok, 60_000, 'it is ready');
      return { url, ...running };
    },
    hasPostgres: (data_dir = 'data') => existsSync(join(folder, data_dir, 'postgres/postmaster.pid')),
  };
}

async function interrupt(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  process.kill(-(child.pid as number), 'SIGINT');
  await ended;
}
