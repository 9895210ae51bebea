#!/usr/bin/env node
// Runs a command under Node 24 or newer: this one, or the one of the platform's package. Plain JavaScript for Node 18 and newer.
const { spawn, spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } = require('node:fs');
const { constants } = require('node:os');
const { dirname, join } = require('node:path');

// Without the arguments, which every user of the machine sees in the list of processes: --key may be one of them.
process.title = 'toolgate';

const root = join(__dirname, '../..');
const isClone = existsSync(join(root, 'cli/src/main.ts'));
const [first, ...rest] = process.argv.slice(2);

const isOld = Number(process.versions.node.split('.')[0]) < 24;
// The server is a process of its own, because options of V8 can only be given to a new one. A small young generation keeps it small;
// one thread of V8 leaves the processor to the main thread (docs/design/outgoing-requests.md).
if (first === 'start')
  run([
    '--max-semi-space-size=8',
    '--v8-pool-size=1',
    '--require',
    join(root, 'require-node-24.cjs'),
    serverFile(),
    ...rest,
  ]);
else if (isOld) run([__filename, ...process.argv.slice(2)]);
else {
  require('../../require-node-24.cjs');
  import(isClone ? '../src/main.ts' : '../../dist/cli.js').catch((error) => {
    console.error(error);
    process.exit(1);
  });
}

function serverFile() {
  return join(root, isClone ? 'server/src/main.ts' : 'dist/server.js');
}

function run(args) {
  const child = spawn(isOld ? findNode() : process.execPath, args, { stdio: 'inherit' });
  // This process waits for the exit code. A terminal sends Ctrl-C to both; the second one changes nothing.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** The Node of the platform's package: the one beside toolgate, or one that npm installs now. */
function findNode() {
  const { optionalDependencies, peerDependencies } = require('../../package.json');
  const name = `node-${process.platform}-${process.arch}`;
  const version = { ...optionalDependencies, ...peerDependencies }[name];
  if (version === undefined) refuse('Install it first: https://nodejs.org');
  try {
    return join(dirname(require.resolve(`${name}/package.json`)), 'bin/node');
  } catch {
    return installNode(`${name}@${version}`, join('node_modules', name, 'bin/node'));
  }
}

/** Beside the compiled code that Node keeps, where only the owner of this package may write. It appears by a rename, complete. */
function installNode(specifier, program) {
  const remedy = `Install it: https://nodejs.org, or npm i ${specifier}`;
  const cache = join(root, 'node_modules/.cache/toolgate');
  const folder = join(cache, specifier);
  if (existsSync(folder)) return join(folder, program);
  console.error(`toolgate needs Node 24, and this is ${process.version}: npm installs ${specifier} for it, once.`);
  try {
    mkdirSync(cache, { recursive: true });
    const draft = mkdtempSync(join(cache, 'node-'));
    const args = ['install', '--prefix', draft, '--no-save', '--no-package-lock', '--no-audit', '--no-fund', specifier];
    const { status } = spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status === 0) renameSync(draft, folder);
    else rmSync(draft, { recursive: true, force: true });
  } catch (error) {
    if (!existsSync(folder)) refuse(`${error.message}. ${remedy}`);
  }
  if (!existsSync(join(folder, program))) refuse(remedy);
  return join(folder, program);
}

function refuse(remedy) {
  console.error(`toolgate needs Node 24 or newer; this is ${process.version}. ${remedy}`);
  process.exit(1);
}
