// Writes docs/reliability.md from the results of a run.

import { readFileSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, loadavg, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { RECOVERY_WITHIN_MS, REVOKE_WITHIN_MS } from './ledger.ts';
import { findings, markdownTable, type Result } from './report.ts';
import { scenarios } from './scenarios.ts';

const page = join(import.meta.dirname, '../docs/reliability.md');

/** Of a run of failovers only, their section and what no run changes. */
export function writePage(results: readonly Result[]): void {
  const [failovers, others] = [true, false].map((isOne) =>
    results.filter(({ scenario }) => (scenario.group === 'failover') === isOne),
  ) as [Result[], Result[]];
  const [, old_start = '', old_section = ''] = /^(.*?)(## Failover\n.*?)?(?=^## What it does not show$)/ms.exec(
    readFileSync(page, 'utf8'),
  ) as string[];
  const start = others.length > 0 ? resultsOf(others) : old_start;
  const section = failovers.length > 0 ? failoverSection(failovers) : old_section;
  writeFileSync(page, start + section + LIMITS_AND_USE);
}

const list = (lines: string[], none: string) => (lines.length > 0 ? lines.map((line) => `- ${line}`).join('\n') : none);

function resultsOf(results: readonly Result[]): string {
  const { problems, notes } = findings(results);
  return `# Reliability

What survives when things break: killed replicas, a database that is down, a full disk, a clock that jumps, and races.

\`npm run faults -- --write-docs\` writes this page; do not edit it. The suite starts PostgreSQL, Redis and three replicas as separate processes on one machine, puts load on them, and breaks
one thing after another. Its client keeps a ledger of every operation: acknowledged (2xx), refused (4xx) or unknown (no final response). It repeats an operation with the same
\`Idempotency-Key\` until it knows the outcome. At the end it reads everything back: the resources, the requests that the upstream API received, and the events that the webhook received.

## Results

${markdownTable(results)}

${list(problems, 'Every guarantee below held.')}

${describeRun()}

## What is required

| Column | Meaning | Required |
|---|---|---|
| acknowledged | Operations that got a 2xx response. In races and with bad upstreams, most operations are refused on purpose | |
| refused | Operations that got a final error | only those that must be |
| unknown | Operations without a final response after all retries. A tool call that a crash interrupted keeps its \`Idempotency-Key\` for 80 s ([why](design/tool-calls.md)) | each took effect at most once |
| lost | Acknowledged operations that were missing when read back, and events that did not reach their webhook | 0 |
| duplicated | Operations that took effect more than once for one \`Idempotency-Key\` or one unique name, and changes with two events | 0 |
| wrongly accepted | Requests that were accepted although their credential had expired or was revoked more than ${REVOKE_WITHIN_MS / 1000} s before, or although they exceeded a limit; and broken responses that were passed on as good ones | 0 |
| unexplained 5xx | Every 5xx, except 503 during a fault and up to ${RECOVERY_WITHIN_MS / 1000} s after it, and except the errors that a bad upstream must cause | 0 |
| recovery | Time from the end of the fault until no request fails because of it and every replica is ready | at most ${RECOVERY_WITHIN_MS / 1000} s |
| revoked after | Time from the response to a revocation until the last request that any replica still accepted | at most ${REVOKE_WITHIN_MS / 1000} s |

## Notes from the run

${list(notes, 'None.')}

`;
}

function describeRun(): string {
  const gib = (totalmem() / 2 ** 30).toFixed(0);
  const load = loadavg()[1]?.toFixed(1);
  const machine = `${availableParallelism()} cores, ${gib} GiB, ${platform()} ${arch()}, Node ${process.version}`;
  return `Run on ${new Date().toISOString().slice(0, 10)}: ${machine}; load average ${load} at the end, including other programs.`;
}

function failoverSection(results: readonly Result[]): string {
  const { problems, notes } = findings(results);
  const missing = scenarios.filter(
    (scenario) => scenario.group === 'failover' && results.every((result) => result.scenario !== scenario),
  );
  const absent = missing.length > 0 ? `Not part of this run: ${missing.map(({ title }) => title).join('; ')}.\n\n` : '';
  return `## Failover

A primary and a standby of PostgreSQL, three replicas under load, and every way in which a primary fails: killed, frozen, cut off from the network, made read-only while its sessions stay, and a planned switchover. With synchronous replication in three
arrangements: \`pg_ctl promote\` behind a list of hosts, the same behind HAProxy, and Patroni with etcd and HAProxy. With asynchronous replication, the standby receives nothing for a second before the primary fails. Redis fails over with three Sentinels.

${markdownTable(results, 'failover')}

${list(problems, 'Every guarantee held.')}

${absent}${describeRun()}

| Column | Meaning | Required |
|---|---|---|
| unknown | As above, and exchanges for a session that got 503: they are not repeated | each took effect at most once |
| lost | As above, without what PostgreSQL lost | 0 |
| lost by PostgreSQL | Operations whose effect only the failed server had. Its data is read afterwards, and must have what is missing | 0 with synchronous replication |
| duplicated | As above. Deliveries of webhooks may repeat, with the same \`webhook-id\` | 0 |
| no primary | Time from the fault to the first write that the new primary accepted, sent by the suite itself. It depends on who promotes the standby: here an operator after 2.5 s, or Patroni with a \`ttl\` of 5 s | |
| slowest 503 | The longest time that a request waited meanwhile until it got 503, always with \`Retry-After\` | at most 2 s |
| first write after | Time from the new primary's first write to the first write of a client | at most ${RECOVERY_WITHIN_MS / 1000} s |
| recovery | Time from the new primary's first write until no request fails and every replica is ready | at most ${RECOVERY_WITHIN_MS / 1000} s |

After a failover of PostgreSQL, the suite also checks that sessions work, that the clock of no replica went back, that no ID was used twice, that the audit log verifies, that every call has its row in the log, that limits are exact, that webhooks and log
streams go on, and that \`/healthz\` always responded.

${list(notes, 'No notes.')}

`;
}

const LIMITS_AND_USE = `## What it does not show

- All processes share one machine. The suite does not test network latency, the loss of a whole machine, or the loss of a disk. Make [backups](guides/backup.md).
- Servers that fail over write without \`fsync\`, because only processes are killed.
- Two servers that both take writes. Whatever promotes a standby must stop the old primary first, or cut it off ([why](design/replicas.md#failover)).
- When a process is killed, it loses the call log rows of its last 250 ms ([why](design/webhooks.md)). No response depends on them.
- A webhook receives each event at least once. If it receives one again, the \`webhook-id\` is the same.

## Run it

\`\`\`sh example (takes seventeen minutes)
npm run faults                                    # everything, about seventeen minutes
npm run faults -- failover                        # failovers of PostgreSQL and Redis only, about eight minutes
npm run faults -- kill-replicas --seconds 20
npm run faults -- --list
npm run faults -- --write-docs                    # and write this page
\`\`\`

Run it on a machine with idle CPU. The suite cannot tell why PostgreSQL or Redis does not respond: if a busy machine keeps PostgreSQL waiting for more than 1 s, the replicas return 503 as in an outage, and the table shows
an unexplained 5xx. If a scenario fails, the suite prints what the replicas logged.

All traffic stays on loopback. The Redis scenarios need \`redis-server\` on the \`PATH\`, and the failovers Debian's \`postgresql\`, \`haproxy\`, \`patroni\` and \`etcd-server\`. The full disk is a small tmpfs, which only root can mount. Scenarios that cannot run are listed as "not run". A short
version is part of \`npm run test:all\`.
`;
