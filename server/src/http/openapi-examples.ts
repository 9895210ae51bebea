// The examples in the API document. `npm run docs:examples` records them from a real server; random parts, such as ids and
// times, are replaced, so that the file changes only when the API does.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../installation.ts';

export type Examples = {
  /** By operationId: the request by media type, and the successful response by status. */
  operations: Record<string, { request: Record<string, unknown>; responses: Record<string, unknown> }>;
  /** Error responses, by their code. */
  errors: Record<string, unknown>;
};

type Media = { example?: unknown; examples?: object };
type Operation = {
  operationId?: string;
  requestBody?: { content?: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
};

export const examplesFile = join(root, 'server/src/http/api-examples.json');

export function readExamples(): Examples {
  return JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples;
}

/** An operation that was not recorded gets none; a test says so. */
export function addExamples({ operationId = '', requestBody, responses }: Operation, { operations }: Examples): void {
  const recorded = operations[operationId];
  if (!recorded) return;
  for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
    const example = recorded.request[type];
    if (example !== undefined) media.example = example;
  }
  for (const [status, example] of Object.entries(recorded.responses)) {
    const media = responses[status]?.content?.['application/json'];
    if (media && media.examples === undefined) media.example = example;
  }
}
