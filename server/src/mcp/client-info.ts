// The client and the revision that a request names itself, for the call log. The server keeps no sessions: clients of revisions
// before 2026-07-28 say their name in `initialize` only, so it is unknown here.

import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from './json-rpc.ts';
import { metaKeys } from './protocol.ts';

const MAX_LENGTH = 128;

/** For a request whose revision was detected, so that header and `_meta` are valid and agree. */
export function clientOf(
  meta: unknown,
  headers: IncomingHttpHeaders,
): { client_name: string | null; protocol_version: string | null } {
  const revision = headers['mcp-protocol-version'];
  const client = isObject(meta) ? meta[metaKeys.client_info] : undefined;
  return {
    client_name: isObject(client) && typeof client.name === 'string' ? storable(client.name) : null,
    protocol_version: typeof revision === 'string' ? revision : null,
  };
}

/** PostgreSQL text cannot hold NUL and lone surrogates. */
function storable(name: string): string {
  return name.slice(0, MAX_LENGTH).replaceAll('\0', '').toWellFormed();
}
