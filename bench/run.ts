// npm run bench: measures this server beside its peers and prints one table. `npm run bench -- tools/call scale` runs parts of it,
// `npm run bench -- analytics` a bench of one feature, `-- --write-docs` writes docs/performance.md, `-- --quick` only shows that it works.

import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { stopAll } from './processes.ts';
import { measureAtRest } from './table/at-rest.ts';
import { type Goal, goalsFrom } from './table/goals.ts';
import { describeMachine, writePage } from './table/page.ts';
import { type AnyRow, type Part, parts } from './table/parts.ts';
import { goalsOf, tableOf } from './table/print.ts';
import { type Profile, profileOf, profileServer } from './table/profile.ts';
import { fullPlan, quickPlan } from './table/rounds.ts';
import { openSite, type Site } from './table/site.ts';

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stopAll().then(
      () => process.exit(1),
      () => process.exit(1),
    );
  });

const began = performance.now();
const progress = (line: string) =>
  void process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);

const features = globSync(join(import.meta.dirname, 'features/*.ts')).map((file) => basename(file, '.ts'));

function runFeature(name: string): void {
  console.log(`\n${name}`);
  const script = join(import.meta.dirname, 'features', `${name}.ts`);
  const { status } = spawnSync(process.execPath, [script], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

/** A part that fails does not end the run. */
async function runPart(name: string, part: Part, site: Site): Promise<AnyRow[]> {
  try {
    return await part(site);
  } catch (error) {
    process.exitCode = 1;
    progress(`${name} failed: ${(error as Error).stack}`);
    return [{ operation: name, name: 'all', absent: 'failed' }];
  }
}

type Measured = { rows: AnyRow[]; at_rest: Goal[]; profiles: Profile[] };

async function runTable(names: string[], is_quick: boolean): Promise<Measured> {
  const at_rest = names.includes('at-rest') ? await measureAtRest({ is_quick, progress }) : [];
  const site = await openSite(is_quick ? quickPlan : fullPlan, progress);
  try {
    const rows: AnyRow[] = [];
    for (const name of names) if (parts[name]) rows.push(...(await runPart(name, parts[name], site)));
    return { rows, at_rest, profiles: names.includes('profile') ? await profileServer(site) : [] };
  } finally {
    await site.stop();
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'write-docs': { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
});
const all = [...Object.keys(parts), 'at-rest', 'profile'];
const wanted = positionals.length > 0 ? positionals : all;
const unknown = wanted.filter((name) => !all.includes(name) && !features.includes(name));
if (unknown.length > 0)
  throw new Error(`there is no ${unknown.join(', ')}; there are ${[...all, ...features].join(', ')}`);
if (values['write-docs'] && (positionals.length > 0 || values.quick))
  throw new Error('--write-docs needs a whole run: name no parts, and leave out --quick');

const machine = describeMachine();
const table = wanted.filter((name) => all.includes(name));
if (table.length > 0) {
  const { rows, at_rest, profiles } = await runTable(table, values.quick);
  const goals = [...goalsFrom(rows), ...at_rest];
  if (rows.length > 0) console.log(`\n${tableOf(rows)}\n`);
  if (goals.length > 0) console.log(`${goalsOf(goals)}\n`);
  for (const profile of profiles) console.log(`${profileOf(profile)}\n`);
  if (values['write-docs'] && process.exitCode === 1)
    throw new Error('a part failed: docs/performance.md is not written');
  if (values['write-docs']) writePage({ rows, goals, profiles, machine, seconds: (performance.now() - began) / 1000 });
  progress('done');
}
for (const name of wanted.filter((name) => features.includes(name))) runFeature(name);
