// npm run verify-audit [-- postgres://…]: checks every chain of the audit log and names the first broken link. Reads only;
// needs no running server. With the embedded store it runs while the server is stopped.

import { readConfig } from '../config.ts';
import { openDatabase, openPool } from '../database/connection.ts';
import { startEmbedded } from '../database/embedded.ts';
import { type ChainReport, verifyAudit } from '../features/audit/verify.ts';

async function run(database_url: string | undefined): Promise<boolean> {
  const { connection, stop } = await findDatabase(database_url);
  const database = openDatabase(openPool(connection, 1));
  try {
    const reports = await verifyAudit(database);
    for (const report of reports) process.stdout.write(`${describe(report)}\n`);
    if (reports.length === 0) process.stdout.write('the audit log is empty\n');
    return reports.every(({ broken }) => broken === null);
  } finally {
    await database.destroy();
    await stop();
  }
}

async function findDatabase(given: string | undefined) {
  const stop = async () => {};
  if (given) return { connection: { connectionString: given }, stop };
  const { database_url, data_dir } = readConfig();
  if (database_url) return { connection: { connectionString: database_url }, stop };
  return startEmbedded({ data_dir, log: () => {} });
}

function describe({ organization_id, verified, head, broken }: ChainReport): string {
  if (!broken) return `${organization_id}: ${verified} entries hold; the chain ends at ${head.seq} ${head.hash}`;
  const entry = broken.id ? `entry ${broken.seq} (${broken.id})` : `entry ${broken.seq}`;
  return `${organization_id}: BROKEN at ${entry}: ${broken.reason}; ${verified} entries before it hold`;
}

if (import.meta.main) {
  run(process.argv[2]).then(
    (isWhole) => {
      process.exitCode = isWhole ? 0 : 1;
    },
    (error: Error) => {
      process.stderr.write(`the audit log could not be checked: ${error.message}\n`);
      process.exitCode = 2;
    },
  );
}
