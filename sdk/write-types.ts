// Part of `npm run docs`: generates src/types.ts from docs/openapi.json.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The text of src/types.ts. */
export function makeTypes(): string {
  // Installed for the server, whose tests generate clients with it: it needs TypeScript 5.9, and this package is built with 7.
  const require = createRequire(join(root, 'server/package.json'));
  const cli = join(dirname(require.resolve('openapi-typescript/package.json')), 'bin/cli.js');
  const input = JSON.stringify(usedPart(JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))));
  // By default a property with a default is required, also in a request.
  const options = { input, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  return execFileSync(process.execPath, [cli, '--default-non-nullable', 'false'], options);
}

type Message = { content?: Record<string, { schema: unknown }>; headers?: unknown };
type Operation = { requestBody?: Message; responses?: Record<string, Message> };
type Paths = Record<string, Record<string, Operation>>;
type Document = { paths: Paths; webhooks: Paths; components: Record<string, unknown> };

/** Without errors, response headers and examples of whole bodies: more than half of the package, and of no use to a compiler. */
function usedPart(document: Document): Document {
  const items = [...Object.values(document.paths), ...Object.values(document.webhooks)];
  for (const operation of items.flatMap((item) => Object.values(item))) {
    const answers = Object.entries(operation.responses ?? {}).filter(([status]) => Number(status) < 400);
    operation.responses = Object.fromEntries(answers.map(([status, answer]) => [status, schemasOnly(answer)]));
    if (operation.requestBody) operation.requestBody = schemasOnly(operation.requestBody);
  }
  const { responses: _, headers: __, ...components } = document.components;
  return { ...document, components };
}

function schemasOnly({ headers: _, content, ...message }: Message): Message {
  if (content === undefined) return message;
  const schemas = Object.entries(content).map(([type, { schema }]) => [type, { schema }]);
  return { ...message, content: Object.fromEntries(schemas) };
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, 'src/types.ts'), makeTypes());
