// Opens a TLS connection to an address that was judged after DNS, and to no other.
// Check and connect are one step: a name that resolves differently the next time (rebinding) gains nothing.

import { isIP, type LookupFunction, type OnReadOpts } from 'node:net';
import { type ConnectionOptions, connect, type SecureContext, type TLSSocket } from 'node:tls';
import { type AddressPorts, type CheckedOrigin, mayConnect } from './address-guard.ts';
import { SendError } from './messages.ts';

/** Every address a name has. */
export type Lookup = (hostname: string) => Promise<{ address: string; family: number }[]>;

export type ConnectOptions = {
  allow: AddressPorts;
  deny: AddressPorts;
  lookup: Lookup;
  secure_context: SecureContext;
  timeout_ms: number;
};

/** `receive` gets what comes over the connection, in bytes that are only good until it returns. `done` is called once, later. */
export type Connect = (receive: (bytes: Buffer) => void, done: Connected) => Abandon;
/** Until `done`: ends the attempt with this error. */
export type Abandon = (error: Error) => void;
export type Connected = (...outcome: [error: Error, socket: null] | [error: null, socket: TLSSocket]) => void;

/** All connections read into this, one after the other: what is to stay is copied out of it. */
const inbox = Buffer.alloc(64 * 1024);
const PROBE_AFTER_MS = 60_000;

export function guardedConnector({ hostname, port }: CheckedOrigin, options: ConnectOptions): Connect {
  const { allow, deny, secure_context, timeout_ms } = options;
  const isLiteral = isIP(hostname) !== 0;
  const target = {
    host: hostname,
    port,
    ...(isLiteral ? {} : { servername: hostname }),
    ALPNProtocols: ['http/1.1'],
    // Said aloud, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise switch it off.
    rejectUnauthorized: true,
    secureContext: secure_context,
    lookup: guardedLookup(port, options),
  };
  /** Of the last full handshake: the next one is shorter with it. */
  let session: Buffer | undefined;

  return (receive, done) => {
    // `lookup` is never asked about a literal.
    if (isLiteral && !mayConnect(hostname, port, allow, deny)) {
      queueMicrotask(() => done(new SendError('blocked', `${hostname} is not for us to call`), null));
      return () => {};
    }
    const wanted: ConnectionOptions & { onread: OnReadOpts } = {
      ...target,
      ...(session ? { session } : {}),
      onread: {
        buffer: inbox,
        callback(length) {
          receive(inbox.subarray(0, length));
          return true;
        },
      },
    };
    const socket = connect(wanted).setNoDelay(true).setKeepAlive(true, PROBE_AFTER_MS);
    const timer = setTimeout(() => finish(new Error('connecting took too long')), timeout_ms);
    const finish = (error: Error | null) => {
      clearTimeout(timer);
      socket.removeListener('secureConnect', onSecure).removeListener('error', finish).removeListener('close', onClose);
      if (error === null) return done(null, socket);
      socket.on('error', () => {}).destroy(); // it may have more to say; nobody listens
      done(error, null);
    };
    const onSecure = () => {
      const { remoteAddress = '' } = socket;
      const isAllowed = mayConnect(remoteAddress, port, allow, deny);
      finish(isAllowed ? null : new SendError('blocked', `connected to ${remoteAddress}`));
    };
    const onClose = () => finish(new Error('closed while connecting'));
    socket.once('secureConnect', onSecure).once('error', finish).once('close', onClose);
    socket.on('session', (latest) => {
      // A session of a session would put off the next look at the certificate without end.
      if (!socket.isSessionReused()) session = latest;
    });
    return finish;
  };
}

function guardedLookup(port: number, { allow, deny, lookup }: ConnectOptions): LookupFunction {
  return (name, { all }, callback) => {
    lookup(name).then(
      (found) => {
        // One bad address spoils all: which of them gets connected is not ours to hope for.
        const blocked = found.find(({ address }) => !mayConnect(address, port, allow, deny));
        const [first] = found;
        if (blocked) callback(new SendError('blocked', `${name} resolves to ${blocked.address}`), '');
        else if (first === undefined) callback(new SendError('connection', `${name} has no address`), '');
        else if (all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}
