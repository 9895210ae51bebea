// The `headers` of a webhook: which ones may be given. They are for a gateway before the receiver, and never replace what the
// service itself sends.

import { z } from 'zod';
import { showName } from '../../api/show-name.ts';
import { invalidField } from '../../errors.ts';
import { headerValueProblem, isHeaderName, isSetByService } from '../../outbound/header-rules.ts';

const MAX_HEADERS = 10;
const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 1_024;

/** The rest of what deliver.ts sends, and the headers that say how a body is to be read. */
const RESERVED = /^(?:user-agent$|content-|proxy-|webhook-|x-webhook-)/;

export const headers = z.record(z.string(), z.string()).meta({
  description:
    'Sent with every delivery, such as an Authorization header for a gateway. At most 10; names of up to 64 characters, values of up to 1,024 visible ASCII characters. Stored encrypted; only the names are shown. Headers that the service sets itself are refused',
  example: { Authorization: 'Bearer the-token-of-your-gateway' },
});

/** Throws unless the headers may be sent. A refusal never contains a value. */
export function refuseHeaders(given: Record<string, string>): void {
  const names = Object.keys(given);
  if (names.length > MAX_HEADERS) throw invalidField('headers', `must be at most ${MAX_HEADERS}`);
  const seen = new Set<string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    const problem = nameProblem(lower) ?? (seen.has(lower) ? 'is named twice' : valueProblem(given[name] as string));
    if (problem !== null) throw invalidField(`headers.${showName(name)}`, problem);
    seen.add(lower);
  }
}

function nameProblem(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH) return `its name must have at most ${MAX_NAME_LENGTH} characters`;
  if (!isHeaderName(name)) return 'is not a header name';
  return RESERVED.test(name) || isSetByService(name) ? 'is set by the service' : null;
}

/** The field is the header, so the message says which half of it is wrong. */
function valueProblem(value: string): string | null {
  const problem = headerValueProblem(value, MAX_VALUE_LENGTH);
  return problem && `its value ${problem}`;
}
