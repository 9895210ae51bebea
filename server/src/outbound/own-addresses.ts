// Where this server itself listens, so that no tool or webhook is pointed back at it.

import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type AddressPorts, addressPort } from './address-guard.ts';

/** A name, and a host that stands for every address, may be any of this machine's. */
export function ownAddresses(host: string, port: number, interfaces = networkInterfaces()): AddressPorts {
  const isOne = isIP(host) !== 0 && host !== '0.0.0.0' && !/^[0:]+$/.test(host);
  const addresses = isOne ? [host] : Object.values(interfaces).flatMap((list) => list?.map(({ address }) => address));
  return new Set(addresses.flatMap((address) => (address === undefined ? [] : addressPort(address, port))));
}
