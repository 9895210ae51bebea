// The files of the container image, made without Docker by the steps of the Dockerfile, and started as an ordinary user who can
// write nothing but /data and /tmp. Docker itself, the base image and its user are not tested.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { after, test } from 'node:test';
import { freePort } from '../../server/test/support/servers/free-port.ts';
import { ConditionFailed, waitUntil } from '../../server/test/support/wait-until.ts';
import { makeFolder, pack, root, run } from './packages.ts';

/** nobody: initdb wants a user that exists, as 1000 does in the base image. */
const USER = 65534;
const isRoot = process.getuid?.() === 0;
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const dockerfile = read('Dockerfile').replace(/\\\n\s*/g, '');
/** The words of an instruction that is written as a list. */
const words = (instruction: RegExp): string[] => JSON.parse(instruction.exec(dockerfile)?.[1] ?? '[]');

const folder = makeFolder();
chmodSync(folder, 0o755);
const [context, app, data, temporary] = ['context', 'app', 'data', 'tmp'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
  string,
];

/** As Docker reads it: the last rule that matches a file decides. */
function isInContext(file: string): boolean {
  const rules = read('.dockerignore').split('\n').filter(Boolean);
  const matching = rules.filter((rule) => {
    const pattern = rule.replace(/^!/, '');
    return pattern === '*' || file === pattern || file.startsWith(`${pattern}/`) || matchesGlob(file, pattern);
  });
  return matching.at(-1)?.startsWith('!') ?? true;
}

/** Stages "build" and "packages". The packages of the lock file are those of this clone. */
function makeFiles(): void {
  const files = run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], root)
    .split('\n')
    .filter(Boolean);
  for (const file of files.filter(isInContext)) {
    mkdirSync(dirname(join(context, file)), { recursive: true });
    cpSync(join(root, file), join(context, file));
  }
  for (const packages of globSync('{,server/,site/}node_modules', { cwd: root }))
    symlinkSync(join(root, packages), join(context, packages));
  // The dashboard's builds are named after the hash of all they are made of. One with the hash of the context need not be repeated.
  const builds = join(root, 'dashboard/dist');
  if (existsSync(builds)) cpSync(builds, join(context, 'dashboard/dist'), { recursive: true });
  run(process.execPath, ['packaging/build.ts', '--only', 'toolgate'], context);
  const { file } = pack(join(context, 'build/toolgate'), context);
  for (const each of [app, data, temporary]) mkdirSync(each);
  writeFileSync(join(app, 'package.json'), '{}');
  const [, options = ''] = /^RUN npm install (.*) \/tmp\/toolgate/m.exec(dockerfile) ?? [];
  run('npm', ['install', ...options.split(' '), '--prefer-offline', file], app);
  if (isRoot) for (const each of [data, temporary]) chownSync(each, USER, USER);
}

/** Every file with its size and time. */
const stateOf = (where: string) =>
  globSync('**/*', { cwd: where })
    .sort()
    .map((file) => {
      const { size, mtimeMs } = statSync(join(where, file));
      return `${file} ${size} ${mtimeMs}`;
    });

test('from the build context alone, the image starts as an ordinary user, is healthy, and writes only its data', async () => {
  makeFiles();
  const before = stateOf(app);
  const port = String(await freePort());
  const [, settings = ''] = /^ENV (.*)$/m.exec(dockerfile) ?? [];
  const env = {
    ...Object.fromEntries(settings.split(' ').map((pair) => pair.split('=') as [string, string])),
    PATH: dirname(process.execPath),
    TMPDIR: temporary,
    HOST: '127.0.0.1',
    PORT: port,
    TOOLGATE_DATA_DIR: data,
  };
  const as = { cwd: app, env, ...(isRoot ? { uid: USER, gid: USER } : {}) };
  const [, ...args] = words(/^CMD (\[.*\])$/m);
  const server = spawn(process.execPath, args, { ...as, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(server, 'close');
  after(() => server.kill('SIGKILL'));
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (part) => (output += part));
  await waitUntil(
    async () => {
      if (server.exitCode !== null) throw new ConditionFailed(`it ended:\n${output}`);
      return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    },
    120_000,
    'it is ready',
  );
  const [, ...check] = words(/^HEALTHCHECK .* CMD (\[.*\])$/m);
  assert.equal(spawnSync(process.execPath, check, as).status, 0);
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200, 'the dashboard');
  const command = spawnSync(process.execPath, ['node_modules/.bin/toolgate', 'setup-link'], {
    ...as,
    encoding: 'utf8',
  });
  assert.match(command.stdout, /\/setup#token=/, command.stderr);
  server.kill('SIGTERM');
  const [code] = await ended;
  assert.equal(code, 0, output);
  if (isRoot) assert.deepEqual(stateOf(app), before, 'the server changed its own files');
  assert.notEqual(spawnSync(process.execPath, check, as).status, 0, 'a server that is gone is not healthy');
});
