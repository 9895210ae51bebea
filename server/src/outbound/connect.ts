// Opens a TLS connection to an address that was judged after DNS, and to no other.
// Check and connect are one step: a name that resolves differently the next time (rebinding) gains nothing.

import { isIP, type LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
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

export function guardedConnector({ hostname, port }: CheckedOrigin, options: ConnectOptions): buildConnector.connector {
  const { allow, deny, lookup, secure_context, timeout_ms } = options;

  const guardedLookup: LookupFunction = (name, { all }, callback) => {
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

  const connect = buildConnector({
    allowH2: false,
    // Said aloud, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise switch it off.
    rejectUnauthorized: true,
    secureContext: secure_context,
    lookup: guardedLookup,
    timeout: timeout_ms,
  });

  return (target, callback) => {
    // `lookup` is never asked about a literal.
    if (isIP(hostname) && !mayConnect(hostname, port, allow, deny)) {
      return queueMicrotask(() => callback(new SendError('blocked', `${hostname} is not for us to call`), null));
    }
    connect(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      const { remoteAddress = '' } = socket;
      if (mayConnect(remoteAddress, port, allow, deny)) return callback(null, socket);
      socket.destroy();
      callback(new SendError('blocked', `connected to ${remoteAddress}`), null);
    });
  };
}
