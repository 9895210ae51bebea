// Which redirect URIs a client may register, and which of them a request may name (RFC 9700 §2.1, RFC 8252 §7.3).

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Returns what is wrong with it, or null. */
export function redirectUriProblem(text: string): string | null {
  const url = URL.parse(text);
  if (url === null) return 'must be a URL';
  if (text.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not contain a user or password';
  const isLoopback = url.protocol === 'http:' && loopback.has(url.hostname);
  if (url.protocol !== 'https:' && !isLoopback) return 'must use https, or http on a loopback address';
  // Compared letter by letter, so the text must be what a browser makes of it.
  if (url.href !== text && url.href !== `${text}/`) return 'must be written the way a URL parser writes it';
  return text.includes('*') ? 'must not contain a wildcard' : null;
}

/** Exactly as registered. Only the port of a loopback address may differ, for a native app that cannot choose its port. */
export function isRegisteredRedirectUri(
  client: { redirect_uris: readonly string[]; is_public: boolean },
  given: string,
): boolean {
  if (client.redirect_uris.includes(given)) return true;
  if (!client.is_public || redirectUriProblem(given) !== null) return false;
  const wanted = withoutLoopbackPort(given);
  return wanted !== null && client.redirect_uris.some((registered) => withoutLoopbackPort(registered) === wanted);
}

function withoutLoopbackPort(text: string): string | null {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' || !loopback.has(url.hostname)) return null;
  url.port = '';
  return url.href;
}
