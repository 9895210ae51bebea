// The options of the client, validated. What is wrong with an API key is said without showing it.

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type ToolgateOptions = {
  /**
   * An API key, the root key, or a member session token. `null` sends no `Authorization` header. Use it on a page on toolgate's
   * own origin, where the browser adds the cookie of the signed-in person.
   */
  apiKey: string | null;
  /** The URL of your toolgate server, for example `https://toolgate.example.com`. */
  baseUrl: string;
  /** The project to work in. Without it, only `projects` works. */
  projectId?: string | undefined;
  /** Sends the requests instead of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Attempts after the first one; default: 2. */
  maxRetries?: number | undefined;
  /** The timeout of each attempt, in milliseconds; default: 60,000. */
  timeoutMs?: number | undefined;
};

type Settings = {
  apiKey: string | null;
  /** With `/api/v1`. */
  baseUrl: string;
  projectId: string | undefined;
  fetch: Fetch;
  maxRetries: number;
  timeoutMs: number;
};

/** Timers of JavaScript run at once when they are set to more. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export function readOptions(options: ToolgateOptions): Settings {
  const { apiKey, baseUrl, projectId, maxRetries = 2, timeoutMs = 60_000 } = options;
  // undefined is refused: it is a setting that was forgotten, not a choice.
  if (apiKey !== null && (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)))
    throw new TypeError('apiKey must be a text of visible ASCII characters');
  if (!Number.isInteger(maxRetries) || maxRetries < 0) throw new TypeError('maxRetries must be 0 or a whole number');
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS))
    throw new TypeError(`timeoutMs must be between 0 and ${LONGEST_TIMEOUT_MS}`);
  // Not kept as a reference: the global may be replaced later, and must not be called as a method of something else.
  const fetch = options.fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init));
  return { apiKey, baseUrl: readBaseUrl(baseUrl), projectId, fetch, maxRetries, timeoutMs };
}

function readBaseUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError('baseUrl must be a URL such as https://toolgate.example.com');
  }
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new TypeError('baseUrl must be an http or https URL without credentials, query and fragment');
  const folder = url.pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
  return `${url.origin}${folder}/api/v1`;
}
