// The shop on a free port of loopback, with a certificate of an authority that is made for this run.

import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer, request } from 'node:https';
import { makeAuthority } from '../../server/test/support/peers/certificates.ts';

export type RunningShop = {
  url: string;
  /** As `127.0.0.1:port`. */
  address: string;
  /** The certificate that a client has to trust, PEM. */
  authority: string;
  /** Requests get an answer from now on. */
  serve(listener: RequestListener): void;
  /** A request that does not come from toolgate. */
  requestDirectly(path: string): Promise<{ status: number; body: string }>;
  stop(): Promise<void>;
};

export async function startShop(): Promise<RunningShop> {
  const authority = makeAuthority('toolgate demo authority');
  const server = createServer(authority.issue(['localhost']));
  server.on('tlsClientError', () => {}).on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The shop has no port.');
  const address = `127.0.0.1:${bound.port}`;
  const url = `https://${address}`;
  return {
    url,
    address,
    authority: authority.certificate,
    serve: (listener) => void server.on('request', listener),
    requestDirectly: (path) => get(`${url}${path}`, authority.certificate),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** fetch() cannot be given a certificate authority. */
async function get(url: string, ca: string): Promise<{ status: number; body: string }> {
  const sent = request(url, { ca, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: Buffer.concat(await response.toArray()).toString() };
}
