// The revisions of MCP that this server speaks as a client, and the parts of a request that belong to a revision.

import { version as server_version } from '../installation.ts';

export const MODERN = '2026-07-28';

/** Newest first: the first is asked for. */
const LEGACY: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

export const NEWEST_LEGACY = '2025-11-25';

export const isLegacy = (revision: string) => LEGACY.includes(revision);

export const clientInfo = { name: 'toolgate', version: server_version };

const KEYS = 'io.modelcontextprotocol';

/** MCP Apps: without it servers hide the views of their tools. */
const UI = `${KEYS}/ui`;
const VIEW_TYPE = 'text/html;profile=mcp-app';

/** What toolgate can do as a client, in addition to what is given. */
export const withExtensions = ({ extensions, ...others }: { extensions?: object }) => ({
  ...others,
  extensions: { ...extensions, [UI]: { mimeTypes: [VIEW_TYPE] } },
});

/** Every request of 2026-07-28 says its revision, and who sends it. */
export const modernMeta = (capabilities: object) => ({
  [`${KEYS}/protocolVersion`]: MODERN,
  [`${KEYS}/clientInfo`]: clientInfo,
  [`${KEYS}/clientCapabilities`]: withExtensions(capabilities),
});

/** For proxies, which do not read the body. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': headerValue(name) }),
  };
}

const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Text that is no header value as it is, or could be taken for an encoded one, is sent in Base64 (2026-07-28, Value Encoding). */
export function headerValue(text: string): string {
  if (PLAIN.test(text) && !text.startsWith('=?')) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
