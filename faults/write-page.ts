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

What survives when things break: killed replicas, a database that is down, a full disk, a clock that jumps, and races.

\`npm run faults -- --write-docs\` writes this page; do not edit it. The suite starts PostgreSQL, Redis and three replicas as separate processes on one machine, puts load on them, and breaks
one thing after another. Its client keeps a ledger of every operation: acknowledged (2xx), refused (4xx) or unknown (no final response). It repeats an operation with the same
\`Idempotency-Key\` until it knows the outcome. At the end it reads everything back: the resources, the requests that the upstream API received, and the events that the webhook received.

## Results

${markdownTable(results)}

${list(problems, 'Every guarantee below held.')}

Run on ${new Date().toISOString().slice(0, 10)}: ${availableParallelism()} cores, ${gib} GiB, ${platform()} ${arch()}, Node ${process.version}; load average ${load} at the end, including other programs.

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

## What it does not show

- All processes share one machine. The suite does not test network latency, the loss of a whole machine, or the loss of a disk. Make [backups](guides/backup.md).
- PostgreSQL is one server with default durability. What a failover to a standby loses depends on how you replicate to it.
- When a process is killed, it loses the call log rows of its last 250 ms ([why](design/webhooks.md)). No response depends on them.
- A webhook receives each event at least once. If it receives one again, the \`webhook-id\` is the same.

## Run it

\`\`\`sh example (takes ten minutes)
npm run faults                                    # everything, about ten minutes
npm run faults -- --only kill-replicas --seconds 20
npm run faults -- --list
npm run faults -- --write-docs                    # and write this page
\`\`\`

Run it on a machine with idle CPU. The suite cannot tell why PostgreSQL or Redis does not respond: if a busy machine keeps PostgreSQL waiting for more than 1 s, the replicas return 503 as in an outage, and the table shows
an unexplained 5xx. If a scenario fails, the suite prints what the replicas logged.

All traffic stays on loopback. The Redis scenarios need \`redis-server\` on the \`PATH\`. The full disk is a small tmpfs, which only root can mount. Scenarios that cannot run are listed as "not run". A short
version is part of \`npm run test:all\`.
`;
}
