// npm run faults: breaks replicas, PostgreSQL, Redis, customers' APIs, the disk and the clock under load, on this machine only, and
// prints what was lost. `-- NAME…` runs these scenarios or groups, `--seconds N` changes how long their load lasts, `--list` names all,
// and `--write-docs` writes docs/reliability.md. Exits with 1 if a guarantee did not hold.

import { parseArgs } from 'node:util';
import { createLedger, type Ledger, toRow } from './ledger.ts';
import { findings, printTables, type Result } from './report.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { openStage, type Stage } from './stage.ts';
import { writePage } from './write-page.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string' },
    list: { type: 'boolean', default: false },
    'write-docs': { type: 'boolean', default: false },
  },
});

function chosen(): readonly Scenario[] {
  const wanted = [...values.only, ...positionals];
  const names = new Set(scenarios.flatMap(({ name, group }) => [name, ...(group ? [group] : [])]));
  const unknown = wanted.filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new Error(`there is no scenario ${unknown.join(', ')}; there are ${[...names].join(', ')}`);
  if (wanted.length === 0) return scenarios;
  return scenarios.filter(({ name, group }) => wanted.includes(name) || (group && wanted.includes(group)));
}

type Ran = { result: Result; is_complete: boolean };

async function runOne(stage: Stage, scenario: Scenario): Promise<Ran> {
  const seconds = values.seconds === undefined ? scenario.seconds : Number(values.seconds);
  const began = performance.now();
  const before = stage.replicas.map(({ output }) => output().length);
  let is_complete = true;
  const outcome = await scenario.run(stage, { seconds }).catch((error: Error) => {
    is_complete = false;
    return incomplete(error);
  });
  const result: Result = { scenario, ...('skipped' in outcome ? outcome : { row: toRow(outcome) }) };
  const { problems } = findings([result]);
  console.error(
    `${scenario.name}: ${Math.round((performance.now() - began) / 1000)} s${problems.length > 0 ? ', failed' : ''}`,
  );
  for (const problem of problems) console.error(`! ${problem}`);
  if (problems.length > 0) for (const line of logged(stage, before)) console.error(`  ${line}`);
  return { result, is_complete };
}

/** One that cannot be completed has not shown that its guarantees hold. */
const incomplete = (error: Error): Ledger => ({ ...createLedger(), problems: [error.stack ?? error.message] });

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

/** One stage at a time. Nothing else runs on one where a scenario was not completed. */
async function runAll(wanted: readonly Scenario[]): Promise<Result[]> {
  const results: Result[] = [];
  const opened: { stage: Stage | null; by: Scenario['open'] } = { stage: null, by: undefined };
  const close = async () => {
    await opened.stage?.close();
    opened.stage = null;
  };
  for (const scenario of wanted) {
    if (scenario.skip) {
      results.push({ scenario, skipped: scenario.skip });
      continue;
    }
    if (opened.by !== scenario.open) await close();
    try {
      opened.by = scenario.open;
      opened.stage ??= await (scenario.open ?? openStage)();
      const { result, is_complete } = await runOne(opened.stage, scenario);
      results.push(result);
      if (!is_complete) await close();
    } catch (error) {
      console.error(`! ${scenario.name}: ${(error as Error).stack}`);
      results.push({ scenario, row: toRow(incomplete(error as Error)) });
    }
  }
  await close();
  return results;
}

async function run(): Promise<void> {
  if (values.list) {
    for (const { name, title } of scenarios) console.log(`${name.padEnd(30)} ${title}`);
    return;
  }
  const results = await runAll(chosen());
  const { problems, notes } = findings(results);
  console.log(`\n${printTables(results)}\n`);
  for (const note of notes) console.log(`  ${note}`);
  for (const problem of problems) console.log(`! ${problem}`);
  if (values['write-docs']) writePage(results);
  if (problems.length > 0) process.exitCode = 1;
}

// The listeners of 'exit' end all processes; there is one for each.
process.setMaxListeners(100);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await run();
