#!/usr/bin/env node
// Runs the command line under Node 24, also when the Node on PATH is older: `npm ci` installs one on Linux.
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { constants } = require('node:os');
const { join } = require('node:path');

// Without the arguments, which every user of the machine sees in the list of processes: --key may be one of them.
process.title = 'toolgate';

const root = join(__dirname, '../..');
const pinned = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');

if (Number(process.versions.node.split('.')[0]) < 24 && existsSync(pinned)) {
  const child = spawn(pinned, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  // This process waits for the exit code. A terminal sends Ctrl-C to both; the second one changes nothing.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
} else {
  require('../../require-node-24.cjs');
  import('../src/main.ts').catch((error) => {
    console.error(error);
    process.exit(1);
  });
}
