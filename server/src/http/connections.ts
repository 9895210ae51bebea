// Limits open connections, in total and per address. Opening one needs no credential.

import type { Server as HttpServer } from 'node:http';
import { BlockList, isIPv4 } from 'node:net';
import type { App } from '../app.ts';
import { clientNetwork } from '../limits/client-network.ts';

const LOG_EVERY_MS = 60_000;

export function limitConnections(server: HttpServer, app: App): void {
  const { max, max_per_address } = app.config.connections;
  const proxies = listNetworks(app.config.trusted_proxies);
  const open = new Map<string, number>();
  const log = logOnceAMinute(app);

  server.maxConnections = max;
  server.on('drop', () => log('too many connections: new ones are closed', { max }));
  server.on('connection', (socket) => {
    const ip = socket.remoteAddress;
    // Undefined when the client has disconnected already. All clients of a proxy share its address.
    if (ip === undefined || proxies.check(ip, isIPv4(ip) ? 'ipv4' : 'ipv6')) return;
    const address = clientNetwork(ip);
    const count = open.get(address) ?? 0;
    if (count >= max_per_address) {
      socket.destroy();
      return log('too many connections from one IP address: new ones are closed', { address, max_per_address });
    }
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

function listNetworks(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** A flood of connections must not flood the log. */
function logOnceAMinute(app: App): (message: string, fields: object) => void {
  let logged_at = Number.NEGATIVE_INFINITY;
  return (message, fields) => {
    if (app.now() - logged_at < LOG_EVERY_MS) return;
    logged_at = app.now();
    app.log.warn(fields, message);
  };
}
