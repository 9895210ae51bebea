// A server with several worker processes, and what tests ask of it.

import { type Agent, get } from 'node:http';
import { makeKey, makeProject } from '../support/make/make.ts';
import { copyDataDir, type ServerProcess, startProcess, workersOf } from '../support/servers/start-process.ts';
import { ROOT_KEY, type TestServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The fewest that are several: each costs seconds of processor time to start. */
export const WORKERS = 2;
export const environment = { TOOLGATE_ROOT_KEY: ROOT_KEY, TOOLGATE_WORKERS: String(WORKERS) };
export const READY_WITHIN_MS = 180_000;

export type Server = ServerProcess & TestServer;

export async function startWorkers(data_dir = copyDataDir(), more: Record<string, string> = {}): Promise<Server> {
  const server = (await startProcess({ ...environment, ...more }, data_dir)) as Server;
  await waitUntilComplete(server);
  return server;
}

/** All workers have started, and answer the one that is asked for metrics. */
export async function waitUntilComplete(server: Server): Promise<void> {
  const countServing = async () => {
    // A connection that was passed to a killed worker is not answered.
    const signal = AbortSignal.timeout(5_000);
    const headers = { authorization: `Bearer ${ROOT_KEY}`, connection: 'close' };
    const text = await (await fetch(`${server.url}/metrics`, { headers, signal })).text();
    return Number(/^toolgate_worker_processes (\d+)$/m.exec(text)?.[1]);
  };
  const isComplete = async () => workersOf(server.pid).length === WORKERS && (await countServing()) === WORKERS;
  await waitUntil(isComplete, READY_WITHIN_MS, 'all workers serve');
}

/** One request on a new or a kept connection. */
export function request(server: Server, path: string, key: string, agent: Agent | false = false): Promise<number> {
  return new Promise((done, fail) => {
    get(server.url + path, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response
        .resume()
        .on('end', () => done(response.statusCode ?? 0))
        .on('error', fail);
    }).on('error', fail);
  });
}

export async function makeTenant(server: Server, fields: object = { plan: 'enterprise' }) {
  const { id } = await makeProject(server, fields);
  const { id: key_id, key } = await makeKey(server, id, ['read']);
  return { id, key, key_id };
}

export const isGone = (pid: number) => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};
