// What the text of an origin shows by itself. Which hosts and ports may be called is decided by the server.

/** `not_origin`: it has a path, a query, a fragment or a user. */
export type OriginTextProblem = 'not_url' | 'not_https' | 'not_origin';

/** Plain HTTP passes here: the operator's list decides about it. One slash at the end is allowed. */
export function originTextProblem(text: string): OriginTextProblem | null {
  const scheme = /^https?:/i.exec(text)?.[0];
  if (scheme === undefined) return /^[a-z][a-z0-9+.-]*:/i.test(text) ? 'not_https' : 'not_url';
  const host = text.slice(scheme.length + '//'.length).replace(/\/$/, '');
  return /[/\\?#@]/.test(host) ? 'not_origin' : null;
}
