// The addresses this server listens on, so that no tool or webhook can call it.

import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { AddressPorts } from './address-guard.ts';
import { addressPort } from './address-ranges.ts';

/** If the host is a name or a wildcard address, every address of this machine is returned. */
export function ownAddresses(host: string, port: number, interfaces = networkInterfaces()): AddressPorts {
  const isOne = isIP(host) !== 0 && host !== '0.0.0.0' && !/^[0:]+$/.test(host);
  const addresses = isOne ? [host] : Object.values(interfaces).flatMap((list) => list?.map(({ address }) => address));
  return new Set(addresses.flatMap((address) => (address === undefined ? [] : addressPort(address, port))));
}
