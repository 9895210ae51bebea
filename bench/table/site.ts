// What all parts of the table share: the customer, the stores of this machine, and a data folder with projects, keys and tools that
// the measured servers copy.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Customer, startCustomer } from '../customer.ts';
import { type Load, startLoad } from '../load.ts';
import { stopAll } from '../processes.ts';
import { startEmbeddedGateway } from './gateway.ts';
import type { Bench, Plan } from './rounds.ts';
import { type Exchanger, FEW, LISTED, makeExchanger, makeProject, type Project } from './seed.ts';
import { type Store, startPostgres, startRedis } from './stores.ts';

export type Site = {
  folder: string;
  customer: Customer;
  bench: Bench;
  postgres: Store | null;
  redis: Store | null;
  /** The data folder of a stopped server with what follows. */
  seeded: string;
  /** 10 keys, 10 tools that sign their requests. */
  signed: Project;
  /** The same with tools that do not sign. */
  unsigned: Project;
  /** 100 tools. */
  listed: Project;
  exchanger: Exchanger;
  stop(): Promise<void>;
};

export async function openSite(plan: Plan, progress: (line: string) => void): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  progress('starting the load generator, the upstream API and the stores');
  const load: Load = startLoad();
  const customer = await startCustomer(folder);
  const [postgres, redis] = [await startPostgres(folder), await startRedis(folder)];
  progress('creating projects, keys and tools');
  const server = await startEmbeddedGateway({ folder, customer }, { to: 'seeded' });
  const { url } = server;
  const few = { keys: FEW, tools: FEW, origin: customer.origin };
  const data = {
    signed: await makeProject(url, few),
    unsigned: await makeProject(url, { ...few, is_signed: false }),
    listed: await makeProject(url, { ...few, tools: LISTED }),
    exchanger: await makeExchanger(url),
  };
  await server.stop();
  return {
    folder,
    customer,
    postgres,
    redis,
    seeded: server.data_dir,
    ...data,
    bench: { load, plan, customer_pid: customer.pid, progress },
    async stop() {
      await stopAll(); // also the servers of a part that failed
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
