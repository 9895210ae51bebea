// Opens a TLS connection, and only to an address that was checked after DNS resolution.
// Check and connect are one step: a name that resolves differently the next time (DNS rebinding) gains nothing.

import { isIP, type LookupFunction, type OnReadOpts } from 'node:net';
import { type ConnectionOptions, connect, type SecureContext } from 'node:tls';
import { type AddressPorts, type CheckedOrigin, mayConnect } from './address-guard.ts';
import type { Connect, ConnectListener } from './http1/client.ts';
import { SendError } from './messages.ts';

/** Returns every address of a name. */
export type Lookup = (hostname: string) => Promise<{ address: string; family: number }[]>;

export type ConnectOptions = {
  allow: AddressPorts;
  deny: AddressPorts;
  lookup: Lookup;
  secure_context: SecureContext;
  timeout_ms: number;
};

/** All connections read into this buffer. Receivers copy what they keep. */
const read_buffer = Buffer.alloc(64 * 1024);
const TCP_KEEP_ALIVE_AFTER_MS = 60_000;

export function guardedConnect({ hostname, port }: CheckedOrigin, options: ConnectOptions): Connect {
  const { allow, deny, secure_context, timeout_ms } = options;
  const isLiteral = isIP(hostname) !== 0;
  const target = {
    host: hostname,
    port,
    ...(isLiteral ? {} : { servername: hostname }),
    ALPNProtocols: ['http/1.1'],
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise switch it off.
    rejectUnauthorized: true,
    secureContext: secure_context,
    lookup: guardedLookup(port, options),
  };
  /** Of the last full handshake. It makes the next handshake shorter. */
  let session: Buffer | undefined;

  return (listener) => {
    // Node does not call `lookup` for a literal address.
    if (isLiteral && !mayConnect(hostname, port, allow, deny)) {
      queueMicrotask(() => listener.onConnectError(new SendError('blocked', `${hostname} is not allowed`)));
      return () => {};
    }
    const socket = connect({ ...target, ...(session ? { session } : {}), ...readInto(listener) });
    socket.setNoDelay(true).setKeepAlive(true, TCP_KEEP_ALIVE_AFTER_MS);
    const timer = setTimeout(
      () => finish(new SendError('connection', 'connecting took too long', 'connect_timed_out')),
      timeout_ms,
    );
    const finish = (error: Error | null) => {
      clearTimeout(timer);
      socket.removeListener('secureConnect', onSecure).removeListener('error', finish).removeListener('close', onClose);
      if (error === null) return listener.onConnect(socket);
      socket.on('error', () => {}).destroy(); // further errors of this socket do not matter
      listener.onConnectError(error);
    };
    const onSecure = () => {
      const { remoteAddress = '' } = socket;
      const isAllowed = mayConnect(remoteAddress, port, allow, deny);
      finish(isAllowed ? null : new SendError('blocked', `connected to ${remoteAddress}`));
    };
    const onClose = () => finish(new SendError('connection', 'closed while connecting', 'connection_closed'));
    socket.once('secureConnect', onSecure).once('error', finish).once('close', onClose);
    socket.on('session', (latest) => {
      // Resuming from a resumed session would postpone the next certificate check without limit.
      if (!socket.isSessionReused()) session = latest;
    });
    return finish;
  };
}

function readInto(listener: ConnectListener): ConnectionOptions & { onread: OnReadOpts } {
  return {
    onread: {
      buffer: read_buffer,
      callback(length) {
        listener.onBytes(read_buffer.subarray(0, length));
        return true;
      },
    },
  };
}

function guardedLookup(port: number, { allow, deny, lookup }: ConnectOptions): LookupFunction {
  return (name, { all }, callback) => {
    lookup(name).then(
      (found) => {
        // One forbidden address blocks the name: Node chooses which of the addresses it connects to.
        const blocked = found.find(({ address }) => !mayConnect(address, port, allow, deny));
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
