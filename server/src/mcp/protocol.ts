// Which revision of MCP a request speaks, decided by the request alone: from 2026-07-28 on every request names its revision in
// `_meta` and repeats it, its method and its tool in headers; before that a client greets with `initialize`.

import { isObject, mismatch, RpcError, type RpcNotification, type RpcRequest } from './json-rpc.ts';
import { decodeHeaderValue } from './parameter-headers.ts';

/** `modern`: 2026-07-28. `legacy`: everything before. */
export type Era = 'modern' | 'legacy';

export const modernRevision = '2026-07-28';

/** Newest first: the first is offered to a client that asks for one we do not know. */
export const legacyRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** Batches left the protocol after this revision. */
const lastRevisionWithBatches = '2025-03-26';

export const metaKeys = {
  protocol_version: 'io.modelcontextprotocol/protocolVersion',
  client_info: 'io.modelcontextprotocol/clientInfo',
  client_capabilities: 'io.modelcontextprotocol/clientCapabilities',
  server_info: 'io.modelcontextprotocol/serverInfo',
} as const;

export type ProtocolHeaders = { version: string | undefined; method: string | undefined; name: string | undefined };

/** The era of this message; throws where it contradicts itself or names a revision we do not speak. */
export function eraOf(message: RpcRequest | RpcNotification, headers: ProtocolHeaders): Era {
  const meta = message.params._meta;
  if (isObject(meta) && metaKeys.protocol_version in meta) {
    checkEnvelope(meta, headers);
    checkMethodHeader(message, headers);
    if (message.kind === 'request' && message.method === 'tools/call') checkNameHeader(message.params.name, headers);
    return 'modern';
  }
  if (!namesModern(headers.version)) {
    if (message.method !== 'initialize') checkLegacyRevision(headers.version);
    return 'legacy';
  }
  // Posted notifications carry no `_meta` of their own: the header alone decides.
  if (message.kind === 'notification') return 'modern';
  if (message.method === 'initialize') throw mismatch(`initialize is not part of revision ${headers.version}`);
  throw missingMeta(meta);
}

/** A batch is only ever older traffic; one that names a revision without batches is refused. */
export function checkBatch({ version }: ProtocolHeaders): void {
  if (version !== undefined && version > lastRevisionWithBatches) {
    throw new RpcError('invalid_request', `Invalid request: revision ${version} has no batches`);
  }
  checkLegacyRevision(version);
}

/** Revisions are dates, so they sort as text. */
function namesModern(version: string | undefined): boolean {
  return version !== undefined && version >= modernRevision;
}

function checkLegacyRevision(version: string | undefined): void {
  // Without the header 2025-03-26 is assumed, as the transport chapter says.
  if (version !== undefined && !legacyRevisions.includes(version)) throw unsupported(version, legacyRevisions);
}

function checkEnvelope(meta: Record<string, unknown>, headers: ProtocolHeaders): void {
  const version = meta[metaKeys.protocol_version];
  const client = meta[metaKeys.client_info];
  if (typeof version !== 'string') throw invalidMeta(`${metaKeys.protocol_version} must be a string`);
  if (!isObject(meta[metaKeys.client_capabilities]))
    throw invalidMeta(`${metaKeys.client_capabilities} must be an object`);
  if (
    client !== undefined &&
    !(isObject(client) && typeof client.name === 'string' && typeof client.version === 'string')
  ) {
    throw invalidMeta(`${metaKeys.client_info} must have a name and a version`);
  }
  if (headers.version !== undefined && headers.version !== version) {
    throw mismatch(`MCP-Protocol-Version names ${headers.version}, the body ${version}`);
  }
  if (version !== modernRevision) throw unsupported(version, [modernRevision]);
}

function checkMethodHeader(message: RpcRequest | RpcNotification, headers: ProtocolHeaders): void {
  if (message.kind === 'request') {
    if (headers.version === undefined) throw mismatch('the MCP-Protocol-Version header is missing');
    if (headers.method === undefined) throw mismatch('the Mcp-Method header is missing');
  }
  if (headers.method !== undefined && headers.method !== message.method) {
    throw mismatch(`Mcp-Method names ${headers.method}, the body ${message.method}`);
  }
}

function checkNameHeader(name: unknown, headers: ProtocolHeaders): void {
  if (typeof name !== 'string') return;
  if (headers.name === undefined) throw mismatch('the Mcp-Name header is missing');
  if (decodeHeaderValue(headers.name) !== name) throw mismatch(`Mcp-Name names ${headers.name}, the body ${name}`);
}

function missingMeta(meta: unknown): RpcError {
  if (!isObject(meta)) return invalidMeta('it is missing');
  return invalidMeta(`${metaKeys.protocol_version} is missing`);
}

function invalidMeta(problem: string): RpcError {
  return new RpcError('invalid_params', `Invalid params._meta: ${problem}`);
}

function unsupported(requested: string, supported: string[]): RpcError {
  return new RpcError('unsupported_protocol_version', `Unsupported protocol version: ${requested}`, {
    data: { supported, requested },
  });
}
