// Opens a connection, and only to an address that was checked after DNS resolution. TLS, except for plain HTTP to a host and port
// that the operator allows.
// Check and connect are one step: a name that resolves differently the next time (DNS rebinding) gains nothing.

import { connect as connectTcp, isIP, type LookupFunction, type OnReadOpts, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
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
  /** Only for looking at what a host presents: nothing may be sent. */
  accepts_any_certificate?: boolean;
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
export function blockedBecause(origin: string, target: Target, { allow, deny }: ConnectOptions): string | null {
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

/** How TLS is started with the host of a target, and the session of the last full handshake, which makes the next one shorter. */
export type SecureOptions = { fixed: TlsOptions; session: Buffer | undefined };
type TlsOptions = Pick<
  ConnectionOptions,
  'servername' | 'ALPNProtocols' | 'rejectUnauthorized' | 'secureContext' | 'host'
>;

export function secureOptions(
  { hostname: host }: Target,
  { secure_context, accepts_any_certificate = false }: ConnectOptions,
): SecureOptions {
  const fixed = {
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise switch it off.
    rejectUnauthorized: !accepts_any_certificate,
    secureContext: secure_context,
  };
  return { fixed, session: undefined };
}

export function keepSession(secure: SecureOptions, socket: TLSSocket): void {
  socket.on('session', (latest) => {
    // Resuming from a resumed session would postpone the next certificate check without limit.
    if (!socket.isSessionReused()) secure.session = latest;
  });
}

function openSecure(target: Target, options: ConnectOptions): Open {
  const secure = secureOptions(target, options);
  const fixed = { ...secure.fixed, port: target.port, lookup: guardedLookup(target, options) };
  return (listener) => {
    const { session } = secure;
    const socket = connectTls({ ...fixed, ...(session ? { session } : {}), ...readInto(listener) });
    keepSession(secure, socket);
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

function guardedLookup(target: Target, options: ConnectOptions): LookupFunction {
  return (_name, { all }, callback) => {
    checkedAddresses(target, options).then(
      (found) => {
        if (all) callback(null, found);
        else callback(null, found[0].address, found[0].family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}

type Address = { address: string; family: number };

/** Every address of the target's name. Rejects with a SendError if there is none, or if one is forbidden. */
export async function checkedAddresses(
  target: Target,
  { allow, deny, lookup }: ConnectOptions,
): Promise<[Address, ...Address[]]> {
  const { hostname } = target;
  const [first, ...others] = await lookup(hostname).catch((error: Error) => {
    throw new SendError('connection', `${hostname}: ${error.message}`, 'host_not_resolved');
  });
  if (first === undefined) throw new SendError('connection', `${hostname} has no address`, 'host_not_resolved');
  const found: [Address, ...Address[]] = [first, ...others];
  // One forbidden address blocks the name: Node chooses which of the addresses it connects to.
  const blocked = found.find(({ address }) => !mayConnect(target, address, allow(), deny));
  if (blocked) throw new SendError('blocked', `${hostname} resolves to ${blocked.address}`);
  return found;
}
