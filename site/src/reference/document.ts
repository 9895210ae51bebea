// The OpenAPI document of this server, as the API reference shows it.

/** The parts that are changed or read here. */
export type ApiDocument = {
  info: { title: string };
  paths: Record<string, Record<string, { parameters?: { name: string; schema?: { example?: string } }[] }>>;
};

/** Not a resource of the API, so the SDK has no method for it. The heading of the page is the name of its link. */
export async function readDocument(): Promise<ApiDocument> {
  const response = await fetch('/api/v1/openapi.json');
  if (!response.ok) throw new Error(`status ${response.status}`);
  const content = (await response.json()) as ApiDocument;
  return { ...content, info: { ...content.info, title: 'API reference' } };
}

/** The same document with a person's project in every example. */
export function fillIn(content: ApiDocument, projectId: string): ApiDocument {
  const parameters = content.paths['/api/v1/projects/{project_id}']?.get?.parameters;
  const example = parameters?.find(({ name }) => name === 'project_id')?.schema?.example;
  // Only the form of an id: the text goes into JSON.
  if (!example || !/^\w+$/.test(projectId)) return content;
  return JSON.parse(JSON.stringify(content).replaceAll(example, projectId)) as ApiDocument;
}
