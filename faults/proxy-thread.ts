// The proxies between the replicas and PostgreSQL run in a thread of their own: the process of the suite is also the customer's
// API, and while it sends 100 large responses a replica would get no answer from PostgreSQL.

import { parentPort, workerData } from 'node:worker_threads';
import { openTcpProxy } from '../server/test/support/database/tcp-proxy.ts';
import type { ProxyAction, ProxySettings } from './proxies.ts';

const { target, marker, count } = workerData as ProxySettings;
const proxies = await Promise.all(Array.from({ length: count }, () => openTcpProxy(target, marker)));

async function act(action: ProxyAction): Promise<void> {
  for (const proxy of proxies) await proxy[action]();
  parentPort?.postMessage(action);
}

parentPort?.on('message', (action: ProxyAction) => {
  act(action).catch((error: unknown) => {
    throw error;
  });
});
parentPort?.postMessage(proxies.map(({ port }) => port));
