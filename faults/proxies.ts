// The proxies between the replicas and PostgreSQL, one for each replica; or between other programs, one for each target.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { TcpProxy } from '../server/test/support/database/tcp-proxy.ts';

export type ProxySettings = { targets: { host: string; port: number }[]; marker?: string };
export type ProxyAction = 'leaveHalfOpen' | 'leaveMarkedHalfOpen' | 'freeze' | 'restore' | 'cut';
export type ProxyOrder = { action: ProxyAction; only: number[] | null };

export type Proxies = {
  ports: number[];
  /** Does it with all of them, or with those at the given places only. */
  act(action: ProxyAction, only?: number[]): Promise<void>;
  close(): Promise<void>;
};

/** `marker`: what a connection sends that `leaveMarkedHalfOpen` is about. */
export async function openProxies(settings: ProxySettings): Promise<Proxies> {
  const thread = new Worker(new URL('./proxy-thread.ts', import.meta.url), { workerData: settings });
  const [ports] = (await once(thread, 'message')) as [TcpProxy['port'][]];
  async function act(action: ProxyAction, only: number[] | null = null): Promise<void> {
    const done = once(thread, 'message');
    thread.postMessage({ action, only } satisfies ProxyOrder);
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
