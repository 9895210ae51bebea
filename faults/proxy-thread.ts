// The proxies between the replicas and PostgreSQL run in a thread of their own: the process of the suite is also the customer's
// API, and while it sends 100 large responses a replica would get no answer from PostgreSQL.

import { parentPort, workerData } from 'node:worker_threads';
import { openTcpProxy } from '../server/test/support/database/tcp-proxy.ts';
import type { ProxyOrder, ProxySettings } from './proxies.ts';

const { targets, marker } = workerData as ProxySettings;
const proxies = await Promise.all(targets.map((target) => openTcpProxy(target, marker)));

async function act({ action, only }: ProxyOrder): Promise<void> {
  for (const [i, proxy] of proxies.entries()) if (only?.includes(i) ?? true) await proxy[action]();
  parentPort?.postMessage(action);
}

parentPort?.on('message', (order: ProxyOrder) => {
  act(order).catch((error: unknown) => {
    throw error;
  });
});
parentPort?.postMessage(proxies.map(({ port }) => port));
