// The tools of fixtures/, as write-fixtures.ts wrote them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export type SearchedTool = {
  name: string;
  title: string | null;
  description: string | null;
  arguments: string[];
  tags: string[];
};

export const fileOf = (source: string) => join(import.meta.dirname, 'fixtures', `${source}.jsonl.gz`);

export function readTools(source: string): SearchedTool[] {
  const lines = gunzipSync(readFileSync(fileOf(source)))
    .toString()
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as SearchedTool);
}
