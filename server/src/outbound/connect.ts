// Opens a connection, and only to an address that was checked after DNS resolution. TLS, except for plain HTTP to a host and port
// that the operator allows.
// Check and connect are one step: a name that resolves differently the next time (DNS rebinding) gains nothing.

import { connect as connectTcp, isIP, type LookupFunction, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { type AddressPorts, checkOrigin, mayConnect } from './address-guard.ts';
import type { AllowList, Target } from './allow-list.ts';
import type { Connect, ConnectListener } from './http1/client.ts';
import { SendError } from './messages.ts';

/** Returns every address of a name. */
export type Lookup = (hostname: string) => Promise<{ address: string; family: number }[]>;

export type ConnectOptions = {
  /** The current list: it can change while a destination is in use. */
  allow(): AllowList;
  deny: AddressPorts;
  lookup: Lookup;
  secure_context: SecureContext;
  timeout_ms: number;
};

/** All connections read into this buffer. Receivers copy what they keep. */
const read_buffer = Buffer.alloc(64 * 1024);
const TCP_KEEP_ALIVE_AFTER_MS = 60_000;

export function guardedConnect(origin: string, target: Target, options: ConnectOptions): Connect {
  const { allow, deny, timeout_ms } = options;
  const { hostname } = target;
  const open = target.scheme === 'http' ? openPlain(target, options) : openSecure(target, options);

  return (listener) => {
    const problem = blockedBecause(origin, target, options);
    if (problem !== null) {
      queueMicrotask(() => listener.onConnectError(new SendError('blocked', `${hostname} is not allowed: ${problem}`)));
      return () => {};
    }
    const { socket, ready } = open(listener);
    socket.setNoDelay(true).setKeepAlive(true, TCP_KEEP_ALIVE_AFTER_MS);
    const timer = setTimeout(
      () => finish(new SendError('connection', 'connecting took too long', 'connect_timed_out')),
      timeout_ms,
    );
    const finish = (error: Error | null) => {
      clearTimeout(timer);
      socket.removeListener(ready, onReady).removeListener('error', finish).removeListener('close', onClose);
      if (error === null) return listener.onConnect(socket);
      socket.on('error', () => {}).destroy(); // further errors of this socket do not matter
      listener.onConnectError(error);
    };
    const onReady = () => {
      const { remoteAddress = '' } = socket;
      const isAllowed = mayConnect(target, remoteAddress, allow(), deny);
      finish(isAllowed ? null : new SendError('blocked', `connected to ${remoteAddress}`));
    };
    const onClose = () => finish(new SendError('connection', 'closed while connecting', 'connection_closed'));
    socket.once(ready, onReady).once('error', finish).once('close', onClose);
    return finish;
  };
}

/** Before each connection, because the operator's list may have changed. Node does not call `lookup` for a literal address. */
function blockedBecause(origin: string, target: Target, { allow, deny }: ConnectOptions): string | null {
  const checked = checkOrigin(origin, allow());
  if ('problem' in checked) return checked.problem;
  const { hostname } = target;
  return isIP(hostname) !== 0 && !mayConnect(target, hostname, allow(), deny) ? 'not_public' : null;
}

type Open = (listener: ConnectListener) => { socket: Socket; ready: 'connect' | 'secureConnect' };

function openPlain(target: Target, options: ConnectOptions): Open {
  const { hostname: host, port } = target;
  const lookup = guardedLookup(target, options);
  return (listener) => ({ socket: connectTcp({ host, port, lookup, ...readInto(listener) }), ready: 'connect' });
}

function openSecure(target: Target, options: ConnectOptions): Open {
  const { hostname: host, port } = target;
  const fixed = {
    host,
    port,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise switch it off.
    rejectUnauthorized: true,
    secureContext: options.secure_context,
    lookup: guardedLookup(target, options),
  };
  /** From the last full handshake. It makes the next handshake shorter. */
  let session: Buffer | undefined;
  return (listener) => {
    const socket = connectTls({ ...fixed, ...(session ? { session } : {}), ...readInto(listener) });
    socket.on('session', (latest) => {
      // Resuming from a resumed session would postpone the next certificate check without limit.
      if (!socket.isSessionReused()) session = latest;
    });
    return { socket, ready: 'secureConnect' };
  };
}

function readInto(listener: ConnectListener): { onread: OnReadOpts } {
  return {
    onread: {
      buffer: read_buffer,
      callback(length) {
        return listener.onBytes(read_buffer.subarray(0, length));
      },
    },
  };
}

function guardedLookup(target: Target, { allow, deny, lookup }: ConnectOptions): LookupFunction {
  return (name, { all }, callback) => {
    lookup(name).then(
      (found) => {
        // One forbidden address blocks the name: Node chooses which of the addresses it connects to.
        const blocked = found.find(({ address }) => !mayConnect(target, address, allow(), deny));
        const [first] = found;
        if (blocked) callback(new SendError('blocked', `${name} resolves to ${blocked.address}`), '');
        else if (first === undefined)
          callback(new SendError('connection', `${name} has no address`, 'host_not_resolved'), '');
        else if (all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(new SendError('connection', `${name}: ${error.message}`, 'host_not_resolved'), ''),
    );
  };
}
