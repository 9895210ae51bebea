// Paths of the API. An id is encoded, so that it stays one segment of the path whatever it contains.

/** path`/custom-tools/${id}` */
export function path(texts: TemplateStringsArray, ...ids: (string | number)[]): string {
  return texts.reduce((result, text, i) => result + segment(ids[i - 1]) + text);
}

function segment(id: string | number | undefined): string {
  const text = typeof id === 'number' ? String(id) : id;
  // URL parsers remove the segments `.` and `..`, also when they are percent-encoded.
  if (typeof text !== 'string' || /^\.{0,2}$/.test(text)) throw new TypeError(`${JSON.stringify(id)} is not an id`);
  return encodeURIComponent(text);
}

type QueryValue = string | number | boolean | null | undefined;

/** Leaves out what is undefined or null. */
export function queryString(query: Record<string, QueryValue> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) parameters.append(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
