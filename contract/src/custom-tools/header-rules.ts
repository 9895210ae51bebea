// Which headers a tool may set, in addition to the rules of all outgoing headers. Headers that authenticate it are set by the service.

import { isHeaderName, isSetByService, headerValueProblem as valueProblem } from '../header-rules.ts';

const MAX_VALUE_LENGTH = 4_096;
const RESERVED: ReadonlySet<string> = new Set(['cookie', 'idempotency-key', 'set-cookie']);

/** Returns why a tool may not set a header of this name, or null. */
export function headerNameProblem(name: string): string | null {
  if (!isHeaderName(name)) return 'is not a valid header name';
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || isSetByService(lower) ? 'is set by toolgate' : null;
}

export const headerValueProblem = (value: string) => valueProblem(value, MAX_VALUE_LENGTH);
