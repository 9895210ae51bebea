// The page of the API reference, which src/reference/ draws, and what can be found on it: every operation and event.

import type { Entry } from '../src/frame/search-options.ts';
import { escapeText } from './escape.ts';
import type { Content } from './frame.ts';

const REFERENCE_PATH = '/docs/api';

type Operation = { operationId: string; summary: string; tags?: string[]; description?: string };

export type OpenApiDocument = {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
};

type Listed = { tag: string; method: string; path: string; operation: Operation };

const listOperations = ({ paths }: OpenApiDocument): Listed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ tag: operation.tags?.[0] ?? '', method, path, operation })),
  );

const slugOf = (name: string) => name.toLowerCase().replaceAll(' ', '-');
/** As Scalar makes them, with the slugs that src/reference/main.ts gives it. */
const anchorOfTag = (tag: string) => `api/tag/${slugOf(tag)}`;
const anchorOfOperation = ({ tag, operation }: Listed) => `${anchorOfTag(tag)}/${operation.operationId}`;

export function makeReferencePage(document: OpenApiDocument, assets: { script: string; styles: string }): Content {
  const operations = Map.groupBy(listOperations(document), ({ tag }) => tag);
  const entries = document.tags
    .filter(({ name }) => operations.has(name))
    .map(({ name }) => {
      const items = (operations.get(name) ?? []).map(
        (listed) =>
          `<li><a href="#${anchorOfOperation(listed)}"><span class="method ${listed.method}">${listed.method}</span> ${escapeText(listed.operation.summary)}</a></li>`,
      );
      return `<li><details><summary>${escapeText(name)}</summary><ul>${items.join('\n')}</ul></details></li>`;
    });
  return {
    title: 'API reference',
    path: REFERENCE_PATH,
    headings: [],
    is_wide: true,
    entries: `<ul class="entries">${entries.join('\n')}</ul>`,
    head: `<link rel="stylesheet" href="${assets.styles}">\n<script type="module" src="${assets.script}"></script>\n`,
    markup: MARKUP,
  };
}

export const listEntries = (document: OpenApiDocument): Entry[] =>
  listOperations(document).map((listed) => ({
    id: `${REFERENCE_PATH}#${anchorOfOperation(listed)}`,
    title: listed.operation.summary,
    page: `API: ${listed.tag}`,
    text: `${listed.method.toUpperCase()} ${listed.path}`,
    code: listed.operation.operationId,
  }));

const MARKUP = `<section class="reference-bar" aria-label="Examples">
<button type="button" id="open-fill-in">Fill in my project and key</button>
<a href="/api/v1/openapi.json">OpenAPI 3.1</a>
</section>
<p id="waiting" role="status">Loading the API reference…</p>
<div id="reference"></div>
<dialog id="fill-in" aria-labelledby="fill-in-title" aria-describedby="fill-in-text">
<form method="dialog">
<h2 id="fill-in-title">Fill in my project and key</h2>
<p id="fill-in-text">Examples and requests on this page then use them. They stay in this tab, and are gone when you close it.</p>
<label for="project">Project</label>
<input id="project" name="project" list="projects" autocomplete="off" spellcheck="false" placeholder="prj_…">
<datalist id="projects"></datalist>
<label for="key">API key</label>
<input id="key" name="key" type="password" autocomplete="off" spellcheck="false" placeholder="svc_…">
<p class="actions">
<button type="button" id="cancel">Cancel</button>
<button type="submit" class="solid">Fill in</button>
</p>
</form>
</dialog>
<noscript>The API reference needs JavaScript. The document itself is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</noscript>
`;
