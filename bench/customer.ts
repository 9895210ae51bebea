// The parent's side of the customer's process.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAuthority } from '../server/test/support/peers/certificates.ts';
import { waitUntil } from '../server/test/support/wait-until.ts';
import { supervise } from './processes.ts';

export type Customer = {
  pid: number;
  /** For TOOLGATE_EGRESS_ALLOW. */
  address: string;
  origin: string;
  /** For NODE_EXTRA_CA_CERTS. */
  authority_file: string;
  /** How many webhook requests came in. */
  received(): Promise<number>;
  untilReceived(count: number): Promise<void>;
  /** How old the events were when they came in since the last call, in milliseconds. */
  takeAges(): Promise<number[]>;
  stop(): Promise<void>;
};

/** Its certificates are written into `folder`. Customers of one folder have the same authority when it is given. */
export async function startCustomer(folder: string, authority = makeAuthority()): Promise<Customer> {
  const authority_file = join(folder, 'authority.pem');
  writeFileSync(authority_file, authority.certificate, { mode: 0o644 });
  const tls_file = join(folder, 'customer.json');
  writeFileSync(tls_file, JSON.stringify(authority.issue(['localhost'])), { mode: 0o600 });
  const child = fork(join(import.meta.dirname, 'customer-process.ts'), [tls_file]);
  const { stop } = supervise(child);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const address = `127.0.0.1:${port}`;
  const ask = async <T>(question: string): Promise<T> => {
    child.send(question);
    const [response] = (await once(child, 'message')) as [T];
    return response;
  };
  const received = async () => (await ask<{ received: number }>('received')).received;
  return {
    pid: child.pid as number,
    address,
    origin: `https://${address}`,
    authority_file,
    received,
    untilReceived: (count) =>
      waitUntil(async () => (await received()) >= count, 120_000, `${count} webhooks are received`),
    takeAges: async () => (await ask<{ ages: number[] }>('take ages')).ages,
    stop,
  };
}
