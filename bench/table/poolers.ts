// What a pooler costs: PgBouncer in transaction mode with its default settings, where no statement has a name, compared with a direct
// connection. Each server has a database of its own with the same data.

import pg from 'pg';
import { openPgBouncer, withoutPgBouncer } from '../../server/test/support/database/pgbouncer.ts';
import { supervise } from '../processes.ts';
import { addWebhooks, measureSenders } from './fan-out.ts';
import { startExternalGateway } from './gateway.ts';
import { exchange, freshAssertions, toolsCall } from './requests.ts';
import { type AbsentRow, measure, type Row, type Server } from './rounds.ts';
import { type Exchanger, FEW, makeExchanger, makeProject, type Project } from './seed.ts';
import type { Site } from './site.ts';
import type { Store } from './stores.ts';

export const poolerRows = {
  operations: ['tools/call, poolers', 'session-token, poolers', 'webhook fan-out, poolers'],
  direct: 'direct connection',
  pooled: 'PgBouncer, transaction mode',
} as const;

export async function measurePoolers(site: Site): Promise<(Row | AbsentRow)[]> {
  const { postgres } = site;
  const absent = postgres === null ? 'not installed: apt-get install postgresql' : withoutPgBouncer;
  if (postgres === null || absent) {
    const reason = absent || 'not installed';
    return [{ operation: poolerRows.operations[0], name: poolerRows.pooled, absent: reason }];
  }
  const data = await seed(site, postgres);
  const pooler = await openPgBouncer(urlOf(postgres, 'pooled'), 'transaction');
  supervise(pooler.child());
  const direct = await startExternalGateway(site, { ...postgres, url: urlOf(postgres, 'direct') }, {});
  const pooled = await startExternalGateway(
    site,
    { ...postgres, url: pooler.url },
    { direct_url: urlOf(postgres, 'pooled') },
  );
  try {
    return await measureBoth(site, data, { [poolerRows.direct]: direct, [poolerRows.pooled]: pooled });
  } finally {
    for (const server of [direct, pooled]) await server.stop();
    await pooler.remove();
  }
}

type Seeded = { project: Project; exchanger: Exchanger };

/** The second database is a copy of the first. */
async function seed(site: Site, postgres: Store): Promise<Seeded> {
  await administer(postgres, 'create database direct');
  const server = await startExternalGateway(site, { ...postgres, url: urlOf(postgres, 'direct') }, {});
  const project = await makeProject(server.url, { keys: FEW, tools: FEW, origin: site.customer.origin });
  const exchanger = await makeExchanger(server.url);
  await addWebhooks(site, server, project.id);
  await server.stop();
  await administer(postgres, 'create database pooled template direct');
  return { project, exchanger };
}

function urlOf({ url }: Store, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

async function administer({ url }: Store, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function measureBoth(
  site: Site,
  { project, exchanger }: Seeded,
  servers: Record<string, Server>,
): Promise<Row[]> {
  const [calls, exchanges, deliveries] = poolerRows.operations;
  const values = { key: project.keys, tool: project.tools.map(({ name }) => name) };
  const both = Object.entries(servers).map(([name, server]) => ({ name, server }));
  const fresh = () => freshAssertions(exchanger);
  return [
    ...(await measure(
      site.bench,
      both.map((each) => ({ ...each, operation: calls, template: toolsCall(values) })),
    )),
    ...(await measure(
      site.bench,
      both.map((each) => ({ ...each, operation: exchanges, template: exchange(exchanger), fresh })),
    )),
    ...(await measureSenders(site, { operation: deliveries, project, senders: servers })),
  ];
}
