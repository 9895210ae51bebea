// The proxies between the replicas and PostgreSQL, one for each replica.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { TcpProxy } from '../server/test/support/database/tcp-proxy.ts';

export type ProxySettings = { target: { host: string; port: number }; marker: string; count: number };
export type ProxyAction = 'leaveHalfOpen' | 'leaveMarkedHalfOpen' | 'cut';

export type Proxies = {
  ports: number[];
  /** Does it with all of them. */
  act(action: ProxyAction): Promise<void>;
  close(): Promise<void>;
};

/** `marker`: what a connection sends that `leaveMarkedHalfOpen` is about. */
export async function openProxies(settings: ProxySettings): Promise<Proxies> {
  const thread = new Worker(new URL('./proxy-thread.ts', import.meta.url), { workerData: settings });
  const [ports] = (await once(thread, 'message')) as [TcpProxy['port'][]];
  async function act(action: ProxyAction): Promise<void> {
    const done = once(thread, 'message');
    thread.postMessage(action);
    await done;
  }
  return {
    ports,
    act,
    async close() {
      await act('cut');
      await thread.terminate();
    },
  };
}
