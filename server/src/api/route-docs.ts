// What the API reference says about the routes of a feature. The type requires a description: what the operation does, what
// else changes with it, and what can go wrong. openapi.ts adds who may call it.

type Texts = { summary: string; description: string };

/** `...docs.createApiKey` in the schema of a route sets its operationId, summary and description. */
export function routeDocs<Id extends string>(texts: Record<Id, Texts>): { [K in Id]: Texts & { operationId: K } } {
  const docs = Object.entries<Texts>(texts).map(([operationId, text]) => [operationId, { operationId, ...text }]);
  return Object.fromEntries(docs);
}
