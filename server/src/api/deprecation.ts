// A route that will be removed: its mark in the route's config, and the response headers that announce it (RFC 9745, RFC 8594).

/** `Deprecated since …, removed after …` in every response and in the API document. */
export type Deprecation = {
  /** RFC 3339. From then on it should not be used any more. */
  since: string;
  /** RFC 3339. After that it may be gone. */
  sunset: string;
  /** Where it says what to use instead: a URL, or a path of this server. */
  link: string;
};

export function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    // RFC 9745 2.1: a date of structured fields, in seconds since 1970.
    deprecation: `@${Math.floor(timeOf(since) / 1000)}`,
    sunset: new Date(timeOf(sunset)).toUTCString(),
    link: `<${link}>; rel="deprecation"`,
  };
}

export function describeDeprecation({ since, sunset, link }: Deprecation): string {
  return `**Deprecated** since ${since.slice(0, 10)}, removed after ${sunset.slice(0, 10)}: [what to use instead](${link}).`;
}

/** A mark that cannot be read stops the start, like every other mistake in a route. */
function timeOf(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new Error(`deprecated: ${text} is not an RFC 3339 time`);
  return time;
}
