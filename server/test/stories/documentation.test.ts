// The documentation site, as the server serves it and as `npm run docs:site` writes it.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, test } from 'node:test';
import { buildSite } from '../support/build-site.ts';
import { followLinks, type SitePage } from '../support/follow-links.ts';
import { root } from '../support/markdown.ts';
import { startServer } from '../support/servers/start-server.ts';

buildSite();
const server = await startServer({ TOOLGATE_DASHBOARD: 'on' });
const withoutDashboard = await startServer();
const { sections, redirects } = JSON.parse(readFileSync(join(root, 'docs/contents.json'), 'utf8'));

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: 'manual' });

async function read(path: string): Promise<SitePage> {
  const response = await get(path);
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
}

const served = await followLinks(read);
const htmlPages = [...served.pages].filter(([path, { type }]) => path !== '/' && type.startsWith('text/html'));

test('every link of every page of the server leads to a page that has its anchor', () => {
  assert.ok(htmlPages.length > 70, 'hardly any page was found');
  assert.deepEqual(served.broken, []);
});

test('every page of the table of contents is linked, as a page and as Markdown', () => {
  const listed = sections.flatMap(({ pages }: { pages: object[] }) => pages).length;
  const [{ text = '' } = {}] = htmlPages.map(([, page]) => page);
  const [, sidebar = ''] = /<nav class="pages"(.*?)<\/nav>/s.exec(text) ?? [];
  const paths = [...sidebar.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
  assert.equal(new Set(paths).size, listed);
  for (const path of paths.filter((each) => each !== '/docs/api'))
    assert.match(served.pages.get(`${path}.md`)?.type ?? '', /^text\/markdown/, `${path}.md`);
});

test('the static site has the same pages, and none of their links is dead', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-site-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  buildSite('--output', folder);
  const types: Record<string, string> = { '.html': 'text/html', '.css': 'text/css', '.md': 'text/markdown' };
  const readFile = async (path: string): Promise<SitePage> => {
    const file = [join(folder, path), join(folder, path, 'index.html')].find(
      (each) => existsSync(each) && statSync(each).isFile(),
    );
    if (file === undefined) return { status: 404, type: '', text: '' };
    return { status: 200, type: types[extname(file)] ?? '', text: readFileSync(file, 'utf8') };
  };
  const { pages, broken } = await followLinks(readFile);
  assert.deepEqual(broken, []);
  for (const [path] of htmlPages) assert.equal(pages.get(path)?.status, 200, path);
});

test('a page has one heading of the first level, no id twice, and nothing that its policy forbids', async () => {
  for (const [path, { text }] of htmlPages) {
    assert.doesNotMatch(
      text,
      /<script(?![^>]*\bsrc=)|<style|<[^>]*\s(?:style|on\w+)="|\b(?:src|url\()="?https?:/,
      path,
    );
    // Scalar draws that of the API reference.
    assert.equal(text.match(/<h1/g)?.length ?? 0, path === '/docs/api' ? 0 : 1, path);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, `${path}: an id is used twice`);
  }
  const policy = async (path: string) => (await get(path)).headers.get('content-security-policy') ?? '';
  const strict = await policy('/docs/errors');
  for (const directive of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
    assert.ok(strict.split('; ').includes(directive), directive);
  assert.equal(await policy('/'), strict);
  assert.match(await policy('/docs/api'), /script-src 'self'; style-src 'self' 'unsafe-inline'/);
});

test('old addresses lead to the pages of today', async () => {
  for (const [from, to] of Object.entries<string>({ ...redirects, '/docs/': '/docs' })) {
    const response = await get(from);
    assert.deepEqual([response.status, response.headers.get('location')], [301, to]);
    assert.equal((await get(to)).status, 200, to);
  }
});

test('an unknown page is a page with 404 for a browser, and the error of the API for everybody else', async () => {
  const page = await get('/docs/nothing', { accept: 'text/html' });
  assert.equal(page.status, 404);
  assert.match(await page.text(), /<h1>Page not found<\/h1>/);
  const response = await get('/docs/nothing');
  assert.equal(response.status, 404);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
});

test('a page is asked for again and sent only if it changed; what has a hash in its name is kept for ever', async () => {
  const page = await get('/docs/errors');
  assert.equal(page.headers.get('cache-control'), 'no-cache');
  const etag = page.headers.get('etag') ?? '';
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await get('/docs/errors', { 'if-none-match': tag });
    assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag]);
  }
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(await page.text()) ?? [];
  assert.match(script, /^\/docs\/assets\/[\w-]+\.js$/);
  assert.equal((await get(script)).headers.get('cache-control'), 'public, max-age=31536000, immutable');
});

test('without the dashboard the documentation is the same', async () => {
  const page = await fetch(`${withoutDashboard.url}/docs/errors`);
  assert.equal(page.status, 200);
  assert.equal(await page.text(), (await read('/docs/errors')).text);
});
