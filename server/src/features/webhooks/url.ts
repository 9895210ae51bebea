// Which URLs a webhook may have: public HTTPS addresses. The text is validated here, the resolved address at each attempt.

import { type AddressPorts, checkOrigin } from '../../outbound/address-guard.ts';

export const MAX_URL = 2_048;

export type Target = { origin: string; path: string };

/** Returns what is wrong with the URL, for the caller; null: nothing. Its length was validated before. */
export function urlProblem(text: string, allow: AddressPorts): string | null {
  if (!/^https:\/\//i.test(text)) return 'must use HTTPS';
  const url = URL.parse(text);
  if (url === null) return 'must be a URL';
  if (url.username !== '' || url.password !== '') return 'must not hold a user or password';
  if (text.includes('#')) return 'must not have a fragment';
  // A URL that the parser rewrites (dots, backslashes, spaces, other digits) is not the one its author reads.
  const origin = text.slice(0, text.length - pathOf(text).length);
  if (text !== origin + pathAndQuery(url) && text !== origin + url.search)
    return 'must be spelled as a URL parser spells it';
  const checked = checkOrigin(origin, allow);
  if ('problem' in checked) return `must be a public HTTPS address (${checked.problem})`;
  return null;
}

export function targetOf(text: string): Target {
  const url = new URL(text);
  return { origin: url.origin, path: pathAndQuery(url) };
}

const pathOf = (text: string) => text.replace(/^https:\/\/[^/?]*/i, '');
const pathAndQuery = (url: URL) => url.pathname + url.search;
