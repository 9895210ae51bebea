// Makes all files of the site in a folder. A page has the folder of its path with an index.html, as any web server serves it.

import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeOpenApiDocument } from '../../server/src/commands/openapi-document.ts';
import { buildAssets } from './assets.ts';
import { pageOfFile, pages, redirects, root } from './contents.ts';
import { type Assets, type Content, drawPage } from './frame.ts';
import { linksFrom, picturePath, type Used } from './links.ts';
import { type Rendered, renderMarkdown } from './markdown.ts';
import { copyMarkdown, listForModels } from './markdown-copy.ts';
import { listEntries, makeReferencePage, type OpenApiDocument } from './reference-page.ts';
import { readScalarScript } from './scalar-script.ts';
import { makeSearchIndex } from './search-index.ts';
import { makeSourcePage } from './source-page.ts';

export type SiteOptions = {
  /** Not for a site without a server: its pages do not link to one. */
  has_dashboard: boolean;
};

export async function makeSite(output: string, options: SiteOptions): Promise<void> {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(output, path)), { recursive: true });
    writeFileSync(join(output, path), text);
  };
  const used: Used = { pictures: new Set(), sources: new Set() };
  const rendered = renderPages(used);
  const document = (await makeOpenApiDocument()) as OpenApiDocument;
  const built = await buildAssets(output);
  rmSync(join(output, 'docs/manifest.json'));
  const index = makeSearchIndex(rendered, listEntries(document));
  const search = `/docs/assets/search-${createHash('sha256').update(index).digest('hex').slice(0, 8)}.json`;
  write(search, index);
  write('docs/scalar.js', await readScalarScript());

  const assets: Assets = { ...built.frame, search };
  const contents: Content[] = [...rendered, makeReferencePage(document, built.reference), ...makeSources(used)];
  for (const content of contents) write(`${content.path}/index.html`, drawPage(content, assets, options));
  write('docs/404.html', drawPage(NOT_FOUND, assets, options));
  for (const { path, markdown } of rendered) write(`${path}.md`, markdown);
  write('llms.txt', listForModels());
  write('docs/redirects.json', JSON.stringify(redirects));
  for (const file of used.pictures) {
    mkdirSync(dirname(join(output, picturePath(file))), { recursive: true });
    cpSync(join(root, file), join(output, picturePath(file)));
  }
  if (!options.has_dashboard) write('api/v1/openapi.json', JSON.stringify(document));
}

type RenderedPage = Rendered & { title: string; path: string; markdown: string };

function renderPages(used: Used): RenderedPage[] {
  return pages.flatMap(({ title, file, path }) => {
    if (file === null) return [];
    const text = readFileSync(join(root, file), 'utf8');
    const links = linksFrom(file, used);
    return [{ title, path, ...renderMarkdown(text, links), markdown: copyMarkdown(text, links, toMarkdown) }];
  });
}

const markdownPaths = new Map(pages.filter(({ file }) => file).map(({ path }) => [path, `${path}.md`]));

function toMarkdown(address: string): string {
  const [path = '', anchor] = address.split('#');
  const markdown = markdownPaths.get(path);
  if (markdown === undefined) return address;
  return anchor === undefined ? markdown : `${markdown}#${anchor}`;
}

/** A folder adds its files. */
function makeSources({ sources }: Used): Content[] {
  const made: Content[] = [];
  for (const file of sources) {
    const { files, ...page } = makeSourcePage(file);
    made.push({ ...page, headings: [] });
    for (const each of files) if (pageOfFile(each) === undefined) sources.add(each);
  }
  return made;
}

const NOT_FOUND: Content = {
  title: 'Page not found',
  path: '/docs/404',
  headings: [],
  markup: `<h1>Page not found</h1>
<p>There is no such page in the documentation of this version. Press <kbd>/</kbd> to search, or start at the <a href="/docs">overview</a>.</p>
`,
};
