// docs/performance.md, made from one run: how to run it, the table, the goals and what was found.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, availableParallelism, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { findings } from './findings.ts';
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
  '**The machine was busy with other work, so the figures of this run are rough: run it again on a quiet machine before relying on them.**';

const pageFile = join(import.meta.dirname, '../../docs/performance.md');

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
}

/** For what is measured beside the server. */
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

/** The package.json of a package with one file of it. */
function packageFile(file: string): string {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  return join(folder as string, 'package.json');
}

function pageOf({ rows, goals, profiles, machine, seconds }: Run, versions: string): string {
  const { day, cores, memory_gb, system, load } = machine;
  const { rounds, round_ms, warm_up_ms, alone } = fullPlan;
  return `# Performance

Made by \`npm run bench -- --write-docs\`; do not edit it. The run of ${day} took ${(seconds / 60).toFixed(1)} minutes on ${cores} cores
(${system}, ${memory_gb} GB of memory) with ${versions}. The load average of the machine was ${load} before it began.
${Number(load) > cores * 0.75 ? `${BUSY}\n` : ''}
Only the ratios mean something on another machine.

## Run it

\`\`\`sh example (it runs for minutes)
npm run bench                        # the whole table
npm run bench -- tools/call scale    # parts: tools/call, tools/list, session-token, read, webhooks, toolsets, mcp-servers, scale, stores, at-rest, profile
npm run bench -- --quick             # shows that everything works; its figures mean nothing
npm run bench -- --write-docs        # the whole table, and this page
npm run bench -- analytics           # a bench of one feature: analytics, call-log, hanging-calls, mcp-sync, members, oauth, webhook-queue
\`\`\`

It needs Linux. nginx, PostgreSQL and Redis are used if they are installed (\`apt-get install nginx postgresql redis-server\`); otherwise their
rows say so. All traffic stays on loopback.

## How it is measured

- The load generator (undici, 16 connections), the upstream API (node:https) and every server are processes of their own. They share the
  cores, so requests a second and latencies are those of the whole, not of a server with cores of its own.
- The servers of a part take turns: ${warm_up_ms / 1000} s of warm-up each, then ${rounds} rounds of ${round_ms} ms each, of which each begins with 200 ms that are not counted. All figures are medians of the rounds, and ratios are
  medians of the ratios within a round, so that other load affects all servers alike.
- **CPU** is the time that all processes of the server worked for one request. It is the steadiest figure, and what a core costs. Rows that are written
  after the response are included. **ratio** is CPU beside the first row of the operation. **stores** is the same for PostgreSQL and Redis.
- **p50** and **p99** are with 16 requests under way, **p50 alone** is of ${alone} requests a round, one after the other. **memory** is the resident memory of the server's processes,
  without its PostgreSQL. In the webhook rows all figures are for one delivery, and the latencies are the age of an event when it arrives.
- The gateway runs with everything: authentication, limit, strict parsing, schema, HMAC signature, address guard, TLS with verified certificates, call log, rollups, metrics,
  one log line for each request. The bare proxy buffers the body and does nothing else. The servers of the official SDK run inside the same gateway, in place of our MCP endpoint.

## Results

${tableOf(rows)}

## Goals

In brackets: the least and the most of the rounds. A bound that lies between them is decided by the median only.

${goalsOf(goals)}

## What was found

${findings(rows)}

### Where the time goes

Self time under \`node --cpu-prof\`, as a part of the time in which the process worked. The profiler samples by the clock, so a system call during which the kernel runs
another process looks longer than the CPU it takes: \`writeUtf8String\`, which sends the response, wakes up the load generator.

${profiles.map(profileOf).join('\n\n')}
`;
}
