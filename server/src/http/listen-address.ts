// Checks that the server can listen on HOST and PORT, and describes the problem to the operator.

import { once } from 'node:events';
import { createServer } from 'node:net';

type Address = { host: string; port: number };

/** Listens and stops listening at once: throws if this cannot work. */
export async function probeAddress(address: Address): Promise<void> {
  const probe = createServer().listen({ host: address.host, port: address.port });
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw cannotListen(address, error);
  }
  await once(probe.close(), 'close');
}

export function cannotListen({ host, port }: Address, cause: unknown): Error {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return new Error(`${host}:${port} is already in use: set PORT or HOST`, { cause });
  if (code === 'EACCES') return new Error(`this user is not allowed to listen on port ${port}: set PORT`, { cause });
  return new Error(`HOST "${host}" is not an IP address of this machine (${code ?? message}): set HOST`, { cause });
}
