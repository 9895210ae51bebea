// Detects the MCP revision of a request from the request alone. From 2026-07-28 on every request has its revision in `_meta`, and
// repeats it with its method and tool in headers. Before that a client starts with `initialize`.

import { headerMismatch, isObject, RpcError, type RpcNotification, type RpcRequest } from './json-rpc.ts';
import { decodeHeaderValue } from './parameter-headers.ts';

/** `modern`: revision 2026-07-28. `legacy`: all earlier revisions. */
export type Protocol = 'modern' | 'legacy';

export const modernRevision = '2026-07-28';

/** Newest first: the first is offered to a client that requests an unknown revision. */
export const legacyRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** Later revisions have no batches. */
const lastRevisionWithBatches = '2025-03-26';

export const metaKeys = {
  protocol_version: 'io.modelcontextprotocol/protocolVersion',
  client_info: 'io.modelcontextprotocol/clientInfo',
  client_capabilities: 'io.modelcontextprotocol/clientCapabilities',
  server_info: 'io.modelcontextprotocol/serverInfo',
  subscription_id: 'io.modelcontextprotocol/subscriptionId',
} as const;

export type ProtocolHeaders = { version: string | undefined; method: string | undefined; name: string | undefined };

/** The parameter that the Mcp-Name header repeats, by method. */
const namedBy: Record<string, string | undefined> = {
  'tools/call': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Throws when headers and body disagree, or the revision is not supported. */
export function detectProtocol(message: RpcRequest | RpcNotification, headers: ProtocolHeaders): Protocol {
  const meta = message.params._meta;
  if (isObject(meta) && metaKeys.protocol_version in meta) {
    checkEnvelope(meta, headers);
    checkMethodHeader(message, headers);
    const named = message.kind === 'request' ? namedBy[message.method] : undefined;
    if (named !== undefined) checkNameHeader(message.params[named], headers);
    return 'modern';
  }
  if (!isModern(headers.version)) {
    if (message.method !== 'initialize') checkLegacyRevision(headers.version);
    return 'legacy';
  }
  // Notifications have no `_meta`: the header alone decides.
  if (message.kind === 'notification') return 'modern';
  if (message.method === 'initialize') throw headerMismatch(`initialize is not part of revision ${headers.version}`);
  throw missingMeta(meta);
}

/** Refuses a batch whose header names a revision without batches. */
export function checkBatch({ version }: ProtocolHeaders): void {
  if (version !== undefined && version > lastRevisionWithBatches) {
    throw new RpcError('invalid_request', `Invalid request: revision ${version} has no batches`);
  }
  checkLegacyRevision(version);
}

/** Revisions are dates, so they sort as text. */
function isModern(version: string | undefined): boolean {
  return version !== undefined && version >= modernRevision;
}

function checkLegacyRevision(version: string | undefined): void {
  // Without the header 2025-03-26 is assumed (MCP specification, Transports).
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
    throw headerMismatch(`MCP-Protocol-Version is ${headers.version}, but the body has ${version}`);
  }
  if (version !== modernRevision) throw unsupported(version, [modernRevision]);
}

function checkMethodHeader(message: RpcRequest | RpcNotification, headers: ProtocolHeaders): void {
  if (message.kind === 'request') {
    if (headers.version === undefined) throw headerMismatch('the MCP-Protocol-Version header is missing');
    if (headers.method === undefined) throw headerMismatch('the Mcp-Method header is missing');
  }
  if (headers.method !== undefined && headers.method !== message.method) {
    throw headerMismatch(`Mcp-Method is ${headers.method}, but the body has ${message.method}`);
  }
}

function checkNameHeader(name: unknown, headers: ProtocolHeaders): void {
  if (typeof name !== 'string') return;
  if (headers.name === undefined) throw headerMismatch('the Mcp-Name header is missing');
  if (decodeHeaderValue(headers.name) !== name)
    throw headerMismatch(`Mcp-Name is ${headers.name}, but the body has ${name}`);
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
