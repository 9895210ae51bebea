// Redirect URIs of a sign-in, as text. Which ones a client may use is decided in contract/src/oauth-clients/redirect-uri.ts.

/** Native apps listen on a port that the system chooses (RFC 8252 7.3). */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(\/.*)?$/;

export const isLoopback = (uri: string) => LOOPBACK.test(uri);

/** The port of a loopback address is left out; other URIs are returned as they are. */
export const withoutPort = (uri: string) => uri.replace(LOOPBACK, 'http://$1$2');

/** The parameters are appended as text: a registered query stays exactly as it is. */
export function withParameters(uri: string, parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}
