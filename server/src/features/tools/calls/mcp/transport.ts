// Sends requests of the MCP client to a server: through the address guard, with the server's credential, and with slots and connections of
// the server's own, so that one that hangs delays no other tool of the project.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Project } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import type { Row } from '../../../../database/tables.ts';
import { version as server_version } from '../../../../installation.ts';
import type { Transport, TransportRequest } from '../../../../mcp-client/exchange.ts';
import { headerLines } from '../../../../outbound/header-lines.ts';
import type { Certificate, HeaderLines, Message } from '../../../../outbound/messages.ts';
import type { Requester } from '../../../../outbound/requester.ts';
import { waitWithin } from '../../../../outbound/wait-within.ts';
import { whenReady } from '../../../../when-ready.ts';
import type { Prepared } from '../credentials/credential.ts';

export type ReachedServer = {
  id: string;
  origin: string;
  /** With the query, if there is one. */
  path: string;
  fixed_headers: HeaderLines;
  certificate: Certificate | null;
};

export function reachedServer(
  { id, url, headers }: Pick<Row<'mcp_servers'>, 'id' | 'url' | 'headers'>,
  { credential, certificate }: Prepared,
): ReachedServer {
  const { origin, pathname, search } = new URL(url);
  const fixed = { 'user-agent': `toolgate/${server_version}`, ...headers };
  return {
    id,
    origin,
    path: pathname + search,
    fixed_headers: headerLines(credential.kind === 'header' ? { ...fixed, ...credential.header } : fixed),
    certificate,
  };
}

/** For what goes on when a call or a sync has ended: a session that others use too, a cancellation, the end of a session. */
export const BACKGROUND_MS = 10_000;

type TransportOptions = {
  project: Pick<Project, 'fairness_key'>;
  max_response_bytes: number;
  /** The milliseconds that are left. */
  remaining(): number;
  requester?: Requester | undefined;
  /** Adds the credential. Called when the request has its slot. */
  addCredential?(headers: Record<string, string>, has_waited: boolean): void | Promise<void>;
};

export function createTransport(app: App, server: ReachedServer, options: TransportOptions): Transport {
  const { project, max_response_bytes, remaining, requester, addCredential } = options;
  const send = ({ method, headers, body, watch }: TransportRequest) => {
    const timeout_ms = remaining();
    return app.send({
      isolation_key: project.fairness_key,
      isolation_part: server.id,
      origin: server.origin,
      method,
      timeout_ms,
      headers_timeout_ms: timeout_ms,
      max_response_bytes,
      requester,
      watch,
      certificate: server.certificate,
      build(has_waited) {
        const sent = { ...headers };
        const message: Message = { path: server.path, fixed_headers: server.fixed_headers, headers: sent };
        if (body !== undefined) message.body = body;
        return whenReady(addCredential?.(sent, has_waited), () => message);
      },
    });
  };
  return (request) => {
    if (request.after_ms === undefined) return send(request);
    const pause = sleep(request.after_ms, undefined, { ref: false });
    return waitWithin(pause, { timeout_ms: remaining(), requester }).then(() => send(request));
  };
}
