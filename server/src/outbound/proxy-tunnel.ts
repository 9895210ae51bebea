// Asks the egress proxy for a connection to a host (CONNECT). What follows, such as TLS with that host, goes through it unread.

import { type ClientRequest, type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { EgressProxy } from './egress-proxy.ts';
import { SendError } from './messages.ts';

/** Rejects with a SendError, or with the reason of the signal. */
export function openTunnel(proxy: EgressProxy, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const asked = ask(proxy, `${isIP(host) === 6 ? `[${host}]` : host}:${port}`, signal);
    asked.once('error', ({ message }) => {
      if (signal.aborted) return reject(signal.reason);
      reject(new SendError('connection', `the egress proxy: ${message}`, 'egress_proxy_unreachable'));
    });
    // Emitted for every status of a CONNECT.
    asked.once('connect', ({ statusCode }, socket, first) => {
      const refuse = (error: SendError) => {
        socket.on('error', () => {}).destroy();
        reject(error);
      };
      if (statusCode === undefined || statusCode < 200 || statusCode > 299)
        refuse(new SendError('connection', `the egress proxy returned ${statusCode}`, 'refused_by_egress_proxy'));
      else if (first.length > 0)
        // Neither TLS nor HTTP begins with the server.
        refuse(new SendError('connection', 'the egress proxy sent bytes of its own', 'malformed_response'));
      else resolve(socket as Socket);
    });
    asked.end();
  });
}

function ask({ scheme, hostname, port, authorization }: EgressProxy, path: string, signal: AbortSignal): ClientRequest {
  const options: RequestOptions = {
    method: 'CONNECT',
    host: hostname,
    port,
    path,
    agent: false,
    signal,
    headers: { host: path, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) },
  };
  // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise switch it off.
  return scheme === 'https' ? requestSecure({ ...options, rejectUnauthorized: true }) : requestPlain(options);
}
