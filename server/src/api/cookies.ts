// Cookies that hold a random secret. Over HTTPS they have the prefix __Host-, so that no other host can set them.

const SECRET = /^[\w-]{43}$/;

/** The prefix needs Secure, which browsers accept over HTTPS only: over plain HTTP, in development, the name has none. */
function cookieName(public_url: string, name: string): string {
  return public_url.startsWith('https:') ? `__Host-${name}` : name;
}

/** Returns null without such a cookie, or with two: one of them was set by somebody else. */
export function readCookie(public_url: string, name: string, header: string | undefined): string | null {
  if (header === undefined) return null;
  const start = `${cookieName(public_url, name)}=`;
  const found = header.split(/; */).filter((cookie) => cookie.startsWith(start));
  const secret = found.length === 1 ? found[0]?.slice(start.length) : undefined;
  return secret !== undefined && SECRET.test(secret) ? secret : null;
}

/** The value of Set-Cookie. Lax: the cookie is sent when a person follows a link to this server, and with no other foreign request. */
export function makeCookie(public_url: string, name: string, secret: string, max_age_seconds: number): string {
  const secure = public_url.startsWith('https:') ? ' Secure;' : '';
  return `${cookieName(public_url, name)}=${secret}; Path=/; Max-Age=${max_age_seconds}; HttpOnly;${secure} SameSite=Lax`;
}
