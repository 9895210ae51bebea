// For callers that send the same headers with many messages.

import { encodeHeaders } from './http1/client.ts';
import type { HeaderLines } from './messages.ts';

/** Validates and encodes headers for `fixed_headers` of a message. Throws a SendError of kind `invalid`. */
export function headerLines(headers: Readonly<Record<string, string>>): HeaderLines {
  return encodeHeaders(headers);
}
