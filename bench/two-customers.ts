// A server, and the APIs of two customers at two addresses: for what one of them costs the calls of the other. The server has a
// processor of its own, and its event loop is watched.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAuthority } from '../server/test/support/peers/certificates.ts';
import { post, ROOT_KEY } from './api.ts';
import { type Customer, startCustomer } from './customer.ts';
import { giveCoreTo, leaveCoreToServer, watchFlags } from './event-loop.ts';
import { type Child, main, startChild } from './processes.ts';

type Bench = (server: Child, one: Customer, other: Customer) => Promise<void>;

export async function withTwoCustomers(
  bench: Bench,
  settings: Record<string, string> = {},
  flags: string[] = [],
): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
  chmodSync(data, 0o755);
  const authority = makeAuthority();
  if (!leaveCoreToServer()) console.log('the server shares its processors with everything else');
  const [one, other] = [await startCustomer(data, authority), await startCustomer(data, authority)];
  try {
    const environment = {
      NODE_EXTRA_CA_CERTS: one.authority_file,
      TOOLGATE_DATA_DIR: join(data, 'data'),
      TOOLGATE_ROOT_KEY: ROOT_KEY,
      TOOLGATE_MAX_CONNECTIONS_PER_ADDRESS: '2000', // all of them come from one address
      TOOLGATE_EGRESS_ALLOW: `${one.address},${other.address}`,
      ...settings,
    };
    const server = await startChild(main, environment, [...watchFlags, ...flags], true);
    giveCoreTo(server);
    await bench(server, one, other);
    await server.stop();
  } finally {
    for (const each of [one, other]) await each.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** A key of a new project that no plan limits. */
export const makeAdminKey = async (url: string) => (await makeProject(url)).key;

export async function makeProject(url: string): Promise<{ id: string; key: string }> {
  const plan = { plan: 'enterprise', requests_per_hour: 1_000_000_000 };
  const { id } = await post(url, '/projects', ROOT_KEY, { name: 'bench', ...plan });
  const { key } = await post(url, `/projects/${id}/api-keys`, ROOT_KEY, { name: 'bench', permissions: ['admin'] });
  return { id, key };
}
