// Writes docs/reliability.md from the results of a run.

import { writeFileSync } from 'node:fs';
import { arch, availableParallelism, loadavg, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { RECOVERY_WITHIN_MS, REVOKE_WITHIN_MS } from './ledger.ts';
import { findings, markdownTable, type Result } from './report.ts';

const page = join(import.meta.dirname, '../docs/reliability.md');

export function writePage(results: readonly Result[]): void {
  writeFileSync(page, markdown(results));
}

const list = (lines: string[], none: string) => (lines.length > 0 ? lines.map((line) => `- ${line}`).join('\n') : none);

function markdown(results: readonly Result[]): string {
  const { problems, notes } = findings(results);
  const gib = (totalmem() / 2 ** 30).toFixed(0);
  const load = loadavg()[1]?.toFixed(1);
  return `# Reliability

This page is written by \`npm run faults -- --write-docs\`. Do not edit it.

The suite starts PostgreSQL, Redis and three replicas as separate processes on this machine, with load from a client, and breaks one thing after the other. The client
keeps a ledger of every operation: acknowledged (2xx), refused (4xx), or unknown (no final answer). It repeats an operation with the same \`Idempotency-Key\` until it knows
the outcome. Afterwards everything is read back: resources, the requests that the customer's API received, the events that the webhook received.

## Results

${markdownTable(results)}

${list(problems, 'Every guarantee below held.')}

Run on ${new Date().toISOString().slice(0, 10)}: ${availableParallelism()} cores, ${gib} GiB, ${platform()} ${arch()}, Node ${process.version}; load average ${load} at the end, other programs included.

## What is required

| Column | Meaning | Required |
|---|---|---|
| acknowledged | Operations that were answered with success. In races and with bad upstreams, most are refused on purpose | |
| refused | Operations that were answered with a final error | only those that have to be |
| unknown | Operations without a final answer after all retries. A tool call that a crash interrupted keeps its \`Idempotency-Key\` for 80 s ([why](design/tool-calls.md)) | took effect at most once |
| lost | Acknowledged, but not there when read back; or an event that did not reach its webhook | 0 |
| duplicated | Took effect more than once for one \`Idempotency-Key\`, or for one unique name; or two events for one change | 0 |
| wrongly accepted | Accepted although revoked for more than ${REVOKE_WITHIN_MS / 1000} s, expired, over the limit, or a broken response that was passed on as a good one | 0 |
| unexplained 5xx | Every 5xx except 503 while a fault lasts and ${RECOVERY_WITHIN_MS / 1000} s after it, and the errors that a bad upstream has to cause | 0 |
| recovery | From the end of the fault until the last request that failed because of it, and until every replica is ready | at most ${RECOVERY_WITHIN_MS / 1000} s |
| revoked after | How long after the answer to a revocation the last request was sent that some replica still accepted | at most ${REVOKE_WITHIN_MS / 1000} s |

## Notes of the run

${list(notes, 'None.')}

## What it does not show

- All processes share one machine: no network latency, no loss of a whole machine, no loss of the disk. Take [backups](guides/self-hosting.md).
- PostgreSQL is one server with its default durability. What a failover to a standby loses depends on the replication of that standby.
- The rows of the call log of the last 250 ms are lost when a process is killed ([why](design/webhooks.md)); no response depends on them.
- A webhook receives an event at least once. It may receive it again, with the same \`webhook-id\`.

## Run it

\`\`\`sh example (takes ten minutes)
npm run faults                                    # everything, about ten minutes
npm run faults -- --only kill-replicas --seconds 20
npm run faults -- --list
npm run faults -- --write-docs                    # and write this page
\`\`\`

Run it on a machine with idle CPU. The suite does not know why PostgreSQL or Redis does not answer: if a busy machine keeps PostgreSQL waiting for more than 1 s, the replicas answer 503 as in an outage, and the table has
an unexplained 5xx. What the replicas logged in a scenario that failed is printed.

It uses loopback only. Redis scenarios need \`redis-server\` on the PATH. The full disk is a small tmpfs, which only root can mount. Scenarios that cannot run are listed as "not run". A short
version is a part of \`npm run test:all\`.
`;
}
