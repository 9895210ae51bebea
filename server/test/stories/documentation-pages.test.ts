// The guides and the changelog, as the server serves them.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../start-server.ts';

const server = await startServer({ TOOLGATE_DASHBOARD: 'on' });
const GUIDES = globSync('docs/guides/*.md', { cwd: join(import.meta.dirname, '../../..') }).map(
  (file) => `/docs/guides/${basename(file, '.md')}`,
);

type Page = { status: number; type: string; text: string };

async function get(path: string): Promise<Page> {
  const answer = await fetch(server.url + path);
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
}

test('the list of guides links to every guide', async () => {
  const { text } = await get('/docs/guides');
  assert.ok(GUIDES.length > 10);
  for (const path of GUIDES) assert.ok(text.includes(`href="${path}"`), path);
});

test('every link of every page leads to a page that has its anchor', async () => {
  const pages = new Map<string, Page>();
  const links: [from: string, to: string][] = [['', '/docs/guides']];
  for (const [from, to] of links) {
    const [path = '', anchor] = to.split('#');
    const known = pages.has(path);
    const page = pages.get(path) ?? (await get(path));
    pages.set(path, page);
    assert.equal(page.status, 200, `${from} links to ${to}`);
    // The API reference is drawn by a script.
    if (anchor && path !== '/docs') assert.ok(page.text.includes(` id="${anchor}"`), `${from} links to ${to}`);
    if (known || !page.type.startsWith('text/html') || path === '/docs') continue;
    for (const [, href = ''] of page.text.matchAll(/<a href="([^"]+)"/g))
      if (!href.startsWith('https://')) links.push([path, href.startsWith('#') ? path + href : href]);
  }
  for (const path of ['/docs/changelog', '/docs/errors', '/docs/guides/start', ...GUIDES])
    assert.ok(pages.has(path), `nothing links to ${path}`);
});

test('a page has no script, one heading of the first level, and a policy that loads nothing but its fonts', async () => {
  for (const path of ['/docs/guides', '/docs/guides/start', '/docs/changelog', ...GUIDES]) {
    const answer = await fetch(server.url + path);
    const text = await answer.text();
    assert.doesNotMatch(text, /<script|<img|<[^>]*\son\w+=/, path);
    assert.equal(text.match(/<h1/g)?.length, 1, path);
    assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/);
  }
});

test('the fonts that a page names are files of the dashboard', async () => {
  const { text } = await get('/docs/guides');
  const fonts = [...text.matchAll(/url\("([^"]+)"\)/g)].map(([, url = '']) => url);
  assert.equal(fonts.length, 2);
  for (const font of fonts) {
    const { status, type } = await get(font);
    assert.deepEqual([status, type], [200, 'font/woff2'], font);
  }
});
