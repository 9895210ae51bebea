// Documents that point to something point to something that exists.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { steps } from '@toolgate/contract/trace-steps.ts';
import { anchorsOf, linksOf, pages, readPage as read, root, splitPage } from './support/markdown.ts';

test('the code and the index name every design page, and no other', () => {
  const files = globSync('{bench,cli,contract,dashboard,faults,packaging,sdk,server,site}/**/*.{ts,tsx,cjs}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  });
  const named = files.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/docs\/design\/[\w-]+\.md/g),
  ]);
  assert.ok(named.length > 20, 'hardly any comment names a page');
  for (const [page] of named) assert.ok(existsSync(join(root, page)), page);
  const index = readFileSync(join(root, 'docs/design/README.md'), 'utf8');
  const inCode = new Set(named.map(([page]) => page));
  const topics = globSync('*.md', { cwd: join(root, 'docs/design') }).filter((page) => page !== 'README.md');
  assert.deepEqual(
    topics.filter((page) => !index.includes(`(${page})`)),
    [],
  );
  assert.deepEqual(
    topics.filter((page) => !inCode.has(`docs/design/${page}`)),
    [],
  );
});

test('every relative link in a page leads to a file, and its anchor to a heading', () => {
  assert.ok(pages.length > 50, 'hardly any page was found');
  let checked = 0;
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => !/^[a-z][a-z+.-]*:/i.test(link))
      .filter((link) => {
        checked += 1;
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(root, target))) return true;
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
      })
      .map((link) => `${page}: ${link}`),
  );
  assert.deepEqual(broken, []);
  assert.ok(checked > 200, 'hardly any link was found');
});

test('every page of docs/ can be reached from the README by links', () => {
  const found = new Set(['README.md']);
  for (const page of found)
    for (const link of linksOf(page)) {
      const target = join(dirname(page), link.split('#')[0] ?? '');
      if (target.endsWith('.md') && pages.includes(target)) found.add(target);
    }
  assert.deepEqual(
    pages.filter((page) => page.startsWith('docs/') && !found.has(page)),
    [],
  );
});

test('every guide is in the list of the README and in the index of docs/', () => {
  const guides = pages.filter((page) => page.startsWith('docs/guides/'));
  for (const index of ['README.md', 'docs/README.md']) {
    const listed = new Set(linksOf(index).map((link) => join(dirname(index), link)));
    assert.deepEqual(
      guides.filter((guide) => !listed.has(guide)),
      [],
      index,
    );
  }
});

test('a diagram is a picture with a title, which every reader of Markdown shows', () => {
  const asCode = pages.filter((page) => splitPage(page).blocks.some(({ info }) => info.startsWith('mermaid')));
  assert.deepEqual(asCode, []);
  const pictures = globSync('docs/images/*.svg', { cwd: root });
  assert.ok(pictures.length > 2);
  for (const picture of pictures) assert.match(read(picture), /<title( id="title")?>.+<\/title>/, picture);
});

test('the README and the index of docs/ have the same picture of the flow', () => {
  const pictureOf = (page: string) => linksOf(page).filter((link) => link.endsWith('how-it-works.svg'));
  assert.deepEqual(pictureOf('README.md'), ['docs/images/how-it-works.svg']);
  assert.deepEqual(pictureOf('docs/README.md'), ['images/how-it-works.svg']);
});

test('the README and .ci/run have the same commands for the tests', () => {
  const block = splitPage('README.md').blocks.find(({ info }) => info === 'sh example (.ci/run runs it)');
  assert.equal(block?.text, 'npm ci && npm test\n');
  const lines = read('.ci/run')
    .split('\n')
    .map((line) => line.trim());
  assert.equal(lines.filter((line) => line === block.text.trim()).length, 1);
  assert.ok(lines.includes("section 'the tests, as in the README' tests_of_readme"));
});

test('a page has one title and no heading that skips a level', () => {
  for (const page of pages) {
    const levels = [...splitPage(page).rest.matchAll(/^(#{1,6}) /gm)].map(([, marks = '']) => marks.length);
    assert.deepEqual([levels[0], levels.filter((level) => level === 1).length], [1, 1], page);
    for (const [i, level] of levels.entries())
      assert.ok(level <= (levels[i - 1] ?? 0) + 1, `${page}: heading ${i + 1}`);
  }
});

test('ARCHITECTURE.md names only files and folders that exist', () => {
  const names = [...read('ARCHITECTURE.md').matchAll(/`([\w/.-]+(?:\.ts|\/))`/g)].map(([, name = '']) => name);
  assert.ok(names.length > 50);
  const files = globSync(
    [
      'contract/**/',
      'contract/src/**/*.ts',
      'server/**/',
      'server/**/*.ts',
      'bench/',
      'bench/**/',
      'deploy/',
      'faults/**/',
      'faults/*.ts',
      'vectors/',
      'examples/**/',
      'sdk/',
      'sdk/**/',
      'sdk/src/**/*.ts',
      'sdk/*.ts',
      'cli/**/',
      'cli/src/**/*.ts',
      'cli/*.ts',
      'dashboard/{src,test}/**/',
      'site/**/',
      'packaging/',
      'packaging/*.ts',
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

test('each invariant of ARCHITECTURE.md names the tests that fail if it breaks, and they exist', () => {
  const [, chapter = ''] = read('ARCHITECTURE.md').split('## Invariants');
  const invariants = chapter.split('\n## ')[0]?.match(/^- .*$/gm) ?? [];
  assert.ok(invariants.length > 10, 'hardly any invariant was found');
  const files = globSync('server/{src,test}/**/*.test.ts', { cwd: root });
  const hasTest = (file: string, title: string) => {
    const path = files.find((path) => path.endsWith(`/${file}`)) ?? assert.fail(file);
    const lines = read(path).split('\n');
    return lines.some((line) => /\btest\(/.test(line) && line.includes(title));
  };
  for (const invariant of invariants) {
    const [, named] = /\((`[\w-]+\.test\.ts`: [^()]+)\)$/.exec(invariant) ?? assert.fail(`no test: ${invariant}`);
    let file = '';
    for (const each of (named as string).split('; ')) {
      const [, of_file = file, title = ''] = /^(?:`([\w-]+\.test\.ts)`: )?(.+)$/.exec(each) ?? [];
      file = of_file;
      assert.ok(hasTest(file, title), each);
    }
  }
});

test('docs/operations.md explains every step of a trace, in the order of a request', () => {
  const [, table = ''] = read('docs/operations.md').split('| Step | Checks |');
  const explained = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, step]) => step);
  assert.deepEqual(explained, steps);
});

test("the README's first project is on the plan pro, and the README says how to change a plan", () => {
  const commands = [...read('README.md').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text);
  const bodies = commands.flatMap((text) =>
    [...text.matchAll(/-d '(\{[^']*\})'/g)].map(([, body = '']) => JSON.parse(body)),
  );
  assert.deepEqual(bodies[0], { name: 'My first project', plan: 'pro' });
  assert.ok(commands.some((text) => /-X PATCH \$API\/projects\/\$PROJECT .*\n.*"plan":"pro"/.test(text)));
});

test('Troubleshooting quotes messages that the code has', () => {
  const code = globSync('{contract,server,cli}/src/**/*.ts', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const symptoms = [...read('docs/troubleshooting.md').matchAll(/^\| \*\*(.+?)\*\*/gm)].map(
    ([, symptom = '']) => symptom,
  );
  const quoted = symptoms.flatMap((symptom) =>
    [...symptom.matchAll(/\b[45]\d\d `([^`]+)`|"(This app [^"]+)"/g)].map(
      ([, message, sentence]) => message ?? sentence,
    ),
  );
  assert.ok(quoted.length > 5, 'hardly any message was found');
  assert.deepEqual(
    quoted.filter((message) => !code.includes(String(message))),
    [],
  );
});
