// Places in the definition of a tool of an MCP server, and the text in it that people should look at. The server warns of it, and the
// dashboard marks it where it is. Without zod: the dashboard ships it to browsers.

import type { WarningCode } from './rules.ts';

export const suspiciousTexts = {
  addresses_model:
    /\b(?:ignore|disregard|override) |\bbefore (?:using|calling)\b|\b(?:do not|don't|never) (?:tell|mention|inform|reveal)\b|\bsystem prompt\b|<important>/i,
  // Tried only where such text begins: its cost must not be the square of its length.
  base64: /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{201,}={0,2}/,
} as const satisfies Partial<Record<WarningCode, RegExp>>;

/** RFC 6901. */
export const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
