// Documents that point to something point to something that exists.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const read = (page: string) => readFileSync(join(root, page), 'utf8');
const pages = globSync(['*.md', 'docs/**/*.md', 'sdk/*.md', 'examples/**/*.md'], { cwd: root });

/** The anchors GitHub makes of headings. */
function anchorsOf(page: string): string[] {
  const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

test('every relative link in a document leads to a file, and its anchor to a heading', () => {
  assert.ok(pages.length > 10);
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path = '', anchor]) => {
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(root, target))) return true;
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
      })
      .map(([link]) => `${page}: ${link}`),
  );
  assert.deepEqual(broken, []);
});

test('ARCHITECTURE.md names only files and folders that exist', () => {
  const names = [...read('ARCHITECTURE.md').matchAll(/`([\w/.-]+(?:\.ts|\/))`/g)].map(([, name = '']) => name);
  assert.ok(names.length > 50);
  const files = globSync(
    [
      'server/**/',
      'server/**/*.ts',
      'bench/',
      'vectors/',
      'examples/**/',
      'sdk/',
      'sdk/**/',
      'sdk/src/**/*.ts',
      'sdk/*.ts',
    ],
    { cwd: root },
  );
  const known = files.map((file) => `/${file}`);
  const missing = names.filter((name) => {
    const wanted = `/${name.replace(/\/$/, '')}`;
    return !known.some((file) => file.endsWith(wanted));
  });
  assert.deepEqual(missing, []);
});

test("the README's first project is on the plan pro, and the README says how to change a plan", () => {
  const commands = [...read('README.md').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text);
  const bodies = commands.flatMap((text) =>
    [...text.matchAll(/-d '(\{[^']*\})'/g)].map(([, body = '']) => JSON.parse(body)),
  );
  assert.deepEqual(bodies[0], { name: 'My first project', plan: 'pro' });
  assert.ok(commands.some((text) => /-X PATCH \$API\/projects\/\$PROJECT .*\n.*"plan":"pro"/.test(text)));
});
