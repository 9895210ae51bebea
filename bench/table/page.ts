// What a run writes: docs/performance.md with its chart, and the part of bench/README.md with the goals and the profile.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, availableParallelism, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { compareCalls, comparisonChart, comparisonTable } from './comparison.ts';
import { boundFindings, findings } from './findings.ts';
import type { Goal } from './goals.ts';
import { findNginx } from './nginx.ts';
import type { AnyRow } from './parts.ts';
import { goalsOf, tableOf } from './print.ts';
import { type Profile, profileOf } from './profile.ts';
import { fullPlan } from './rounds.ts';
import { versionOf } from './stores.ts';

export type Run = {
  rows: AnyRow[];
  goals: Goal[];
  profiles: Profile[];
  /** At the start of the run. */
  machine: Machine;
  seconds: number;
};
type Machine = { day: string; cores: number; memory_gb: number; system: string; load: string };

const BUSY =
  '**The machine was busy with other work, so these figures are rough. Run the benchmark on a quiet machine before you rely on them.**';

const root = join(import.meta.dirname, '../..');
const pageFile = join(root, 'docs/performance.md');
const chartFile = join(root, 'docs/images/performance.svg');
const readmeFile = join(root, 'bench/README.md');

export function describeMachine(): Machine {
  return {
    day: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    memory_gb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release().split('-', 1)[0]}, ${arch()}`,
    load: (loadavg()[0] as number).toFixed(2),
  };
}

export function writePage(run: Run): void {
  writeFileSync(pageFile, pageOf(run, programVersions()));
  writeFileSync(chartFile, comparisonChart(compareCalls(run.rows)));
  writeFileSync(readmeFile, withResults(readFileSync(readmeFile, 'utf8'), run));
}

/** Of Node and of the servers that toolgate is compared with. */
function programVersions(): string {
  const nginx = findNginx();
  const { resolve } = createRequire(join(import.meta.dirname, '../../server/package.json'));
  const sdk = (name: string) => {
    const [, version] = /"version": "([^"]+)"/.exec(readFileSync(packageFile(resolve(name)), 'utf8')) ?? [];
    return version;
  };
  return [
    `Node ${process.versions.node}`,
    nginx ? `nginx ${versionOf(nginx, '-v')}` : 'no nginx',
    `MCP SDK v2 ${sdk('@modelcontextprotocol/server')} and v1 ${sdk('@modelcontextprotocol/sdk/server/index.js')}`,
  ].join(', ');
}

/** The package.json of the package that a file belongs to. */
function packageFile(file: string): string {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  return join(folder as string, 'package.json');
}

function pageOf({ rows, machine, seconds }: Run, versions: string): string {
  const { day, cores, memory_gb, system, load } = machine;
  const { rounds, round_ms, warm_up_ms, alone } = fullPlan;
  const servers = compareCalls(rows);
  return `# Performance

What a tool call costs: toolgate, the official MCP SDKs, and proxies that only forward.

![CPU time per tools/call, as in the table](images/performance.svg)

${comparisonTable(servers)}

**CPU per call** is the most reliable figure, because it depends least on other load. On another machine, only the ratios are meaningful. **Calls per second** were measured with
16 calls under way, **latency** with one call at a time.

\`npm run bench -- --write-docs\` wrote this page on ${day}; do not edit it. The run took ${(seconds / 60).toFixed(1)} minutes on ${cores} cores
(${system}, ${memory_gb} GB of memory) with ${versions}. The load average of the machine was ${load} before the run.
${Number(load) > cores * 0.75 ? `${BUSY}\n` : ''}
## What is compared

- toolgate runs with everything enabled: authentication, rate limit, strict parsing, schema validation, HMAC signature, address guard, TLS with verified
  certificates, call log, rollups, metrics, and one log line per request.
- The official SDKs run inside the same gateway, instead of toolgate's own MCP endpoint.
- The bare Node proxy buffers the body and forwards it. nginx forwards it too. Neither validates, signs, limits or records anything.
- The load generator (undici, 16 connections), the upstream API (\`node:https\`) and each server are separate processes that share the cores. Requests per second and
  latencies therefore describe the whole machine. A server with dedicated cores is faster.

## All results

- **CPU** is the time that all processes of the server spent on one request, including rows that they write after the response. **ratio** compares it with the
  first row of the operation. **stores** is the CPU time of PostgreSQL and Redis.
- **p50** and **p99** are latencies with 16 requests under way. **p50 alone** is the median of ${alone} requests per round, sent one after the other.
- **memory** is the resident memory of the server's processes, without PostgreSQL.
- In the webhook rows, all figures are per delivery, and the latencies are the age of an event when it arrives.
- The servers take turns: a warm-up of ${warm_up_ms / 1000} s each, then ${rounds} rounds of ${round_ms} ms. The first 200 ms of each round are not counted. Figures are medians over the
  rounds. Ratios are medians of the ratios within a round, so other load affects all servers alike.

${tableOf(rows)}

## What the figures mean

${findings(rows)}

## Run it yourself

[bench/README.md](../bench/README.md) explains how to run the benchmark, and lists the goals and the CPU profile of this run.
`;
}

const MARK = '<!-- `npm run bench -- --write-docs` writes everything below. -->';

/** bench/README.md with the goals and profiles of this run after the mark. */
export function withResults(readme: string, { rows, goals, profiles, machine }: Run): string {
  const [before, ...after] = readme.split(MARK);
  if (before === undefined || after.length !== 1) throw new Error(`bench/README.md needs one line ${MARK}`);
  return `${before}${MARK}

## Goals

From the run of ${machine.day}, whose results are in [docs/performance.md](../docs/performance.md). The lowest and highest value of all rounds are in brackets. If a bound lies
between them, the median decides.

${goalsOf(goals)}

${boundFindings(rows)}

## Where the time goes

Self time under \`node --cpu-prof\`, as a share of the time in which the process was busy. The profiler samples wall-clock time, so a system call during which the kernel
runs another process looks more expensive than it is: \`writeUtf8String\`, which sends the response, wakes the load generator.

${profiles.map(profileOf).join('\n\n')}
`;
}
