// The choices and limits of webhooks and deliveries. Without zod: the dashboard ships it to browsers.

import { headerValueProblem, isHeaderName, isSetByService } from '../header-rules.ts';

export const webhookDisabledReasons = ['gone', 'failing'] as const;

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;

export const attemptErrors = ['timeout', 'connection', 'secret', 'internal'] as const;

export type AttemptError = (typeof attemptErrors)[number];

export const MAX_WEBHOOK_HEADERS = 10;
const MAX_HEADER_NAME_LENGTH = 64;
const MAX_HEADER_VALUE_LENGTH = 1_024;

/** The rest of what a delivery sends, and the headers that say how a body is to be read. */
const RESERVED = /^(?:user-agent$|content-|proxy-|webhook-|x-webhook-)/;

/** The first problem, of the header `name` or, if that is null, of all together. It never contains a value. */
export function webhookHeadersProblem(given: Record<string, string>): { name: string | null; problem: string } | null {
  const names = Object.keys(given);
  if (names.length > MAX_WEBHOOK_HEADERS) return { name: null, problem: `must be at most ${MAX_WEBHOOK_HEADERS}` };
  const seen = new Set<string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    const problem = nameProblem(lower) ?? (seen.has(lower) ? 'is listed twice' : valueProblem(given[name] as string));
    if (problem !== null) return { name, problem };
    seen.add(lower);
  }
  return null;
}

function nameProblem(name: string): string | null {
  if (name.length > MAX_HEADER_NAME_LENGTH) return `its name must have at most ${MAX_HEADER_NAME_LENGTH} characters`;
  if (!isHeaderName(name)) return 'is not a valid header name';
  return RESERVED.test(name) || isSetByService(name) ? 'is set by toolgate' : null;
}

/** The field is the header, so the message says which half of it is wrong. */
function valueProblem(value: string): string | null {
  const problem = headerValueProblem(value, MAX_HEADER_VALUE_LENGTH);
  return problem && `its value ${problem}`;
}
