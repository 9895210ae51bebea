// Connects through the egress proxy. The address guard decides as it does for direct connections, and the proxy is told the address that
// was checked; unless it resolves names itself: then it decides about their addresses, and names and literal addresses are still checked.

import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Target } from './allow-list.ts';
import {
  blockedBecause,
  type ConnectOptions,
  checkedAddresses,
  guardedConnect,
  keepSession,
  type SecureOptions,
  secureOptions,
} from './connect.ts';
import type { EgressProxy } from './egress-proxy.ts';
import type { Connect, ConnectListener } from './http1/client.ts';
import { SendError } from './messages.ts';
import { openTunnel } from './proxy-tunnel.ts';

export function proxiedConnect(origin: string, target: Target, options: ConnectOptions, proxy: EgressProxy): Connect {
  const { hostname, port } = target;
  const direct = guardedConnect(origin, target, options);
  if (proxy.direct.hasName(hostname) || (isIP(hostname) !== 0 && proxy.direct.hasAddress(hostname))) return direct;
  const secure = target.scheme === 'https' ? secureOptions(target, options) : null;

  /** Null: the host is to be reached without the proxy. */
  async function open(listener: ConnectListener, signal: AbortSignal): Promise<Socket | null> {
    const problem = blockedBecause(origin, target, options);
    if (problem !== null) throw new SendError('blocked', `${hostname} is not allowed: ${problem}`);
    const address = isIP(hostname) !== 0 || proxy.resolves_names ? hostname : await findAddress(target, options, proxy);
    if (address === null) return null;
    const tunnel = await openTunnel(proxy, address, port, signal);
    tunnel.setNoDelay(true);
    const socket = secure === null ? tunnel : await startTls(tunnel, secure, signal);
    socket.on('data', (bytes: Buffer) => {
      if (!listener.onBytes(bytes)) socket.pause();
    });
    return socket;
  }

  return (listener) => {
    const attempt = new AbortController();
    let cancelDirect: ((error: Error) => void) | undefined;
    let is_over = false;
    const finish = (report: () => void) => {
      if (is_over) return;
      is_over = true;
      clearTimeout(timer);
      report();
    };
    const fail = (error: Error) =>
      finish(() => {
        attempt.abort(error);
        listener.onConnectError(error);
      });
    const timer = setTimeout(
      () => fail(new SendError('connection', 'connecting took too long', 'connect_timed_out')),
      options.timeout_ms,
    );
    open(listener, attempt.signal).then((socket) => {
      if (is_over) return void socket?.destroy();
      finish(() => {
        if (socket) listener.onConnect(socket);
        else cancelDirect = direct(listener);
      });
    }, fail);
    return (error) => {
      if (cancelDirect) cancelDirect(error);
      else fail(error);
    };
  };
}

/** The first address of the name; null if all of its addresses are to be reached without the proxy. */
async function findAddress(target: Target, options: ConnectOptions, proxy: EgressProxy): Promise<string | null> {
  const found = await checkedAddresses(target, options);
  return found.find(({ address }) => !proxy.direct.hasAddress(address))?.address ?? null;
}

/** Verified with the host itself: the proxy cannot read it. */
function startTls(tunnel: Socket, secure: SecureOptions, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      ...secure.fixed,
      ...(secure.session ? { session: secure.session } : {}),
      socket: tunnel,
    });
    keepSession(secure, socket);
    const finish = (error: Error | null) => {
      socket.removeListener('secureConnect', onReady).removeListener('error', finish).removeListener('close', onClose);
      signal.removeEventListener('abort', onAbort);
      if (error === null) return resolve(socket);
      socket.on('error', () => {}).destroy();
      tunnel.on('error', () => {}).destroy();
      reject(error);
    };
    const onReady = () => finish(null);
    const onClose = () => finish(new SendError('connection', 'closed while connecting', 'connection_closed'));
    const onAbort = () => finish(signal.reason);
    socket.once('secureConnect', onReady).once('error', finish).once('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
