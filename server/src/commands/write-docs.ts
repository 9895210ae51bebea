// npm run docs: generates pages of docs/ from the code.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorsPage } from './docs/errors-page.ts';
import { eventsPage } from './docs/events-page.ts';
import { settingsPage } from './docs/settings-page.ts';

const docs = join(import.meta.dirname, '../../../docs');

/** The generated pages, by file name in docs/. */
export const makeDocs = (): Record<string, string> => ({
  'reference/errors.md': errorsPage(),
  'reference/events.md': eventsPage(),
  'reference/settings.md': settingsPage(),
});

if (import.meta.main) {
  for (const [name, text] of Object.entries(makeDocs())) await writeFile(join(docs, name), text);
}
