// npm run bench: runs all benches, or the named ones. Each prints its figures with their bounds and fails when one does not hold.

import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

const all = [
  'projects',
  'members',
  'oauth',
  'tools',
  'mcp',
  'webhooks',
  'call-log',
  'analytics',
  'limits',
  'row-sizes',
];
const wanted = process.argv.length > 2 ? process.argv.slice(2) : all;
const found = new Set(globSync(join(import.meta.dirname, '*.ts')).map((file) => basename(file, '.ts')));
for (const name of wanted) {
  if (!all.includes(name) || !found.has(name))
    throw new Error(`there is no bench ${name}; there are ${all.join(', ')}`);
  console.log(`\n${name}`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
