// What an import makes of a document whose every security scheme has a secret, and the row of the guide that says so.

import { toolImportRequest } from '@toolgate/contract/custom-tools/tool-import.ts';
import { createValidators } from '../../src/engines/json-schema/validator.ts';
import { busy } from '../../src/errors/errors.ts';
import { readBody } from '../../src/features/tools/import/read-body.ts';
import type { Skipped } from '../../src/features/tools/import/read-document.ts';
import { readOperations } from '../../src/features/tools/import/read-operations.ts';
import { readSchemes } from '../../src/features/tools/import/security.ts';
import { documents } from './documents.ts';

export type Imported = { formats: Map<string, number>; tools: number; skipped: Skipped[] };

/** Works for all strategies; a client's id comes before the colon. */
const SECRET = 'client:a-secret-of-32-characters-0123456789';

export async function importDocument(text: string): Promise<Imported> {
  const read = (options: object) =>
    readBody(Buffer.from(JSON.stringify({ document: text, ...options })), 'application/json');
  const plain = await read({});
  if (!('document' in plain)) throw new Error('the document is in the body');
  const usable = [...readSchemes(plain.document).values()].filter(({ auth }) => auth !== null);
  const auth_secrets = Object.fromEntries(usable.map(({ name }) => [name, SECRET]));
  const base_url = 'https://api.example.com';
  const { document: _, ...options } = toolImportRequest.parse({ document: '', base_url, auth_secrets });
  const validators = createValidators(busy);
  const limits = { rules: { egress_allow: [] }, validators, fairness_key: 'org_1' };
  const imported: Imported = { formats: new Map(), tools: 0, skipped: [] };
  try {
    for await (const found of readOperations({ ...plain, options }, limits)) {
      if ('skipped' in found) {
        imported.skipped.push(found.skipped);
        continue;
      }
      const { body_format } = JSON.parse(found.tool.definition) as { body_format: string };
      imported.formats.set(body_format, (imported.formats.get(body_format) ?? 0) + 1);
      imported.tools += 1;
    }
  } finally {
    await validators.close();
  }
  return imported;
}

/** What operations may be skipped for. None of it is their body or their authentication. */
export const reasons: [RegExp, string][] = [
  [/^has a parameter named/, 'a parameter with a reserved name'],
  [/^the method \w+ is not supported$/, 'HEAD, OPTIONS and TRACE'],
  [
    /^requires .* in a form that is not supported parameter$/,
    'a required query parameter in a style that is not supported',
  ],
  [/^requires /, 'a required header that only toolgate sets'],
];

/** Null: a reason that is in no row of `reasons`. */
export const wordsFor = (reason: string) => reasons.find(([pattern]) => pattern.test(reason))?.[1] ?? null;

export function rowOf(name: string, { formats, tools, skipped }: Imported): string {
  const counts = new Map<string, number>();
  for (const { reason } of skipped) {
    const words = wordsFor(reason) ?? reason;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const why = [...counts].map(([words, count]) => `${count}: ${words}`).join('; ') || '0';
  const number = (count: number) => count.toLocaleString('en');
  const other = ['form', 'multipart', 'raw'].map((format) => formats.get(format) ?? 0).join(', ');
  const { package: from, version } = documents.find((each) => each.name === name) ?? { package: '', version: '' };
  const cells = [name, `\`${from}\` ${version}`, number(tools + skipped.length), number(tools), other, why];
  return `| ${cells.join(' | ')} |`;
}
