// Paths of the API. An id is encoded, so that it stays one segment of the path whatever it contains.

/** The names in the braces of `/webhooks/{webhook_id}`. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** What a route needs in its path. The project is that of the client, unless it is given. */
export type IdsOf<Route extends string> = { [Name in Exclude<NamesIn<Route>, 'project_id'>]: string | number } & {
  project_id?: string;
};

/** fillPath('/custom-tools/{tool_id}', (name) => ids[name]) */
export function fillPath(path: string, idOf: (name: string) => unknown): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => segment(idOf(name)));
}

function segment(id: unknown): string {
  const text = typeof id === 'number' ? String(id) : id;
  // URL parsers remove the segments `.` and `..`, also when they are percent-encoded.
  if (typeof text !== 'string' || /^\.{0,2}$/.test(text)) throw new TypeError(`${JSON.stringify(id)} is not an id`);
  return encodeURIComponent(text);
}

/** Leaves out what is undefined or null. */
export function queryString(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) parameters.append(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
