// Places in the definition of a tool of an MCP server, and the text in it that people should look at. The server warns of it, and the
// dashboard marks it where it is. Without zod: the dashboard ships it to browsers.

import type { WarningCode } from './rules.ts';

/** Format and control characters but for line breaks and tabs, blank letters, and characters of private use. */
export const INVISIBLE =
  /[\p{Cf}\p{Co}\p{Zl}\p{Zp}\u115F\u1160\u2800\u3164\uFFA0]|[\u{E0100}-\u{E01EF}]|(?![\t\n\r])\p{Cc}/u;

export const suspiciousTexts = {
  addresses_model:
    /\b(?:ignore|disregard|override) |\bbefore (?:using|calling)\b|\b(?:do not|don't|never) (?:tell|mention|inform|reveal)\b|\bsystem prompt\b|<important>/i,
  base64: /[A-Za-z0-9+/_-]{201,}={0,2}/,
} as const satisfies Partial<Record<WarningCode, RegExp>>;

/** RFC 6901. */
export const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
