// Which URLs a webhook or a log stream may have: public HTTPS URLs, and what the operator allows. The text is validated here, the resolved
// address at each attempt.

import { invalidField } from '../../../errors/errors.ts';
import { checkOrigin } from '../../../outbound/address-guard.ts';
import type { AllowList } from '../../../outbound/allow-list.ts';

export type Target = { origin: string; path: string };

/** Throws unless the URL may be used. Its length was validated before. */
export function refuseUrl(text: string, allow: AllowList, field = 'url'): void {
  const checked = checkOrigin(originOf(text), allow);
  const origin_problem = 'problem' in checked ? checked.problem : null;
  const isHttp = /^https?:\/\//i.test(text) && origin_problem !== 'not_https';
  const problem = isHttp ? textProblem(text) : 'must use HTTPS';
  if (origin_problem === null && problem === null) return;
  throw invalidField(field, problem ?? `must be a public HTTPS URL (${origin_problem})`, {
    value: text.slice(0, 64),
    reason: problem === null && origin_problem === 'not_public' ? 'address_not_public' : 'invalid_value',
  });
}

function textProblem(text: string): string | null {
  const url = URL.parse(text);
  if (url === null) return 'must be a URL';
  if (url.username !== '' || url.password !== '') return 'must not contain a user or password';
  if (text.includes('#')) return 'must not have a fragment';
  // A URL that the parser rewrites (dots, backslashes, spaces, other digits) is not the one its author reads.
  const origin = originOf(text);
  if (text !== origin + pathAndQuery(url) && text !== origin + url.search)
    return 'must be written the way a URL parser writes it';
  return null;
}

export function targetOf(text: string): Target {
  const url = new URL(text);
  return { origin: url.origin, path: pathAndQuery(url) };
}

const originOf = (text: string) => /^https?:\/\/[^/?]*/i.exec(text)?.[0] ?? '';
const pathAndQuery = (url: URL) => url.pathname + url.search;
