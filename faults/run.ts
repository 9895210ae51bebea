// npm run faults: breaks replicas, PostgreSQL, Redis, customers' APIs, the disk and the clock under load, on this machine only, and
// prints what was lost. `--only NAME` runs one scenario (repeatable), `--seconds N` changes how long its load lasts, `--list` names
// all, and `--write-docs` writes docs/reliability.md. Exits with 1 if a guarantee did not hold.

import { parseArgs } from 'node:util';
import { createLedger, toRow } from './ledger.ts';
import { findings, printTable, type Result } from './report.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { openStage, type Stage } from './stage.ts';
import { writePage } from './write-page.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string' },
    list: { type: 'boolean', default: false },
    'write-docs': { type: 'boolean', default: false },
  },
});

function chosen(): readonly Scenario[] {
  const names = new Set(scenarios.map(({ name }) => name));
  const unknown = values.only.filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new Error(`there is no scenario ${unknown.join(', ')}; there are ${[...names].join(', ')}`);
  return values.only.length === 0 ? scenarios : scenarios.filter(({ name }) => values.only.includes(name));
}

async function runOne(stage: Stage, scenario: Scenario): Promise<Result> {
  if (scenario.needs === 'redis' && !stage.redis) return { scenario, skipped: 'redis-server is not installed' };
  const seconds = values.seconds === undefined ? scenario.seconds : Number(values.seconds);
  const began = performance.now();
  const before = stage.replicas.map(({ output }) => output().length);
  const outcome = await scenario.run(stage, { seconds }).catch((error: Error) => {
    // One that cannot be completed has not shown that its guarantees hold.
    return { ...createLedger(), problems: [error.stack ?? error.message] };
  });
  const result: Result = { scenario, ...('skipped' in outcome ? outcome : { row: toRow(outcome) }) };
  const { problems } = findings([result]);
  console.error(
    `${scenario.name}: ${Math.round((performance.now() - began) / 1000)} s${problems.length > 0 ? ', failed' : ''}`,
  );
  for (const problem of problems) console.error(`! ${problem}`);
  if (problems.length > 0) for (const line of logged(stage, before)) console.error(`  ${line}`);
  return result;
}

/** What the replicas logged in a scenario that failed, each message once with its number. */
function logged({ replicas }: Stage, before: number[]): string[] {
  return replicas.flatMap(({ name, output }, index) => {
    const messages = output()
      .slice(before[index])
      .split('\n')
      .flatMap((line) => /"msg":"([^"]*)"/.exec(line)?.[1] ?? []);
    return [...Map.groupBy(messages, (message) => message)].map(
      ([message, all]) => `replica ${name} logged ${all.length} times: ${message}`,
    );
  });
}

async function run(): Promise<void> {
  if (values.list) {
    for (const { name, title } of scenarios) console.log(`${name.padEnd(24)} ${title}`);
    return;
  }
  const wanted = chosen();
  const stage = await openStage();
  const results: Result[] = [];
  try {
    for (const scenario of wanted) results.push(await runOne(stage, scenario));
  } finally {
    await stage.close();
  }
  const { problems, notes } = findings(results);
  console.log(`\n${printTable(results)}\n`);
  for (const note of notes) console.log(`  ${note}`);
  for (const problem of problems) console.log(`! ${problem}`);
  if (values['write-docs']) writePage(results);
  if (problems.length > 0) process.exitCode = 1;
}

// The listeners of 'exit' end all processes; there is one for each.
process.setMaxListeners(100);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await run();
