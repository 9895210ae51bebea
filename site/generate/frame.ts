// The frame of every page: header, the list of all pages, contents of the page, previous and next. No script or style is inline.

import { type Page, pages, sections } from './contents.ts';
import { escapeText } from './escape.ts';
import { icons } from './icons.ts';
import type { Heading } from './markdown.ts';

/** The URLs of built files. */
export type Assets = { script: string; styles: string; search: string };

export type Content = {
  title: string;
  path: string;
  markup: string;
  headings: Heading[];
  /** For <head>, besides that of every page. */
  head?: string;
  /** Below the page's own entry in the list of pages. */
  entries?: string;
  /** Takes the whole width: no contents of the page. What draws it brings the `<main>`, and a page has only one. */
  is_wide?: boolean;
};

/** Longer lists of headings are no contents any more. */
const MOST_HEADINGS = 40;
/** A section with more pages is folded, unless it has the page. */
const MOST_UNFOLDED = 20;

export function drawPage(content: Content, assets: Assets, { has_dashboard }: { has_dashboard: boolean }): string {
  const { title, path, markup, head = '', is_wide = false } = content;
  const page = pages.find((each) => each.path === path);
  const contents = is_wide ? '' : contentsOf(content.headings);
  const tag = is_wide ? 'div' : 'main';
  return `<!doctype html>
<html lang="en" data-search="${assets.search}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)} · toolgate</title>
<link rel="icon" href="/docs/favicon.svg" type="image/svg+xml">
${page?.file ? `<link rel="alternate" type="text/markdown" href="${page.path}.md">\n` : ''}<script src="/docs/theme.js"></script>
<link rel="stylesheet" href="${assets.styles}">
<script type="module" src="${assets.script}"></script>
${head}</head>
<body>
<a class="skip" href="#page-content">Skip to content</a>
${header(has_dashboard)}
<div class="frame${is_wide ? ' wide' : ''}">
<nav class="pages" id="site-pages" aria-label="Pages">
${sections.map((section) => listOf(section, path, content.entries ?? '')).join('\n')}
</nav>
<${tag} id="page-content" tabindex="-1">
${is_wide ? markup : drawText(page, markup)}${page ? footer(page) : ''}</${tag}>
${contents}</div>
${SEARCH}
</body>
</html>
`;
}

const drawText = (page: Page | undefined, markup: string) =>
  `${page ? `<p class="part-of">${escapeText(page.section)}</p>\n` : ''}<article class="text">
${markup}</article>
`;

const header = (has_dashboard: boolean) => `<header class="bar">
<button type="button" class="icon" id="open-menu" aria-label="Menu" aria-expanded="false" aria-controls="site-pages">${icons.menu}</button>
<a class="home" href="/docs">${icons.logo}<span>toolgate <span class="muted">docs</span></span></a>
<button type="button" id="open-search" aria-keyshortcuts="/">${icons.search}<span>Search</span><kbd>/</kbd></button>
<nav class="places" aria-label="Places">
<a href="/docs/api">API</a>
<a href="/docs/errors">Errors</a>
${has_dashboard ? '<a href="/">Dashboard</a>\n' : ''}</nav>
<button type="button" class="icon" id="change-theme" aria-label="Theme">${icons.theme}</button>
</header>`;

function listOf({ title, pages: listed }: { title: string; pages: Page[] }, path: string, entries: string): string {
  const isOpen = listed.length <= MOST_UNFOLDED || listed.some((page) => page.path === path);
  const items = listed.map((page) => {
    const isCurrent = page.path === path;
    const current = isCurrent ? ' aria-current="page"' : '';
    return `<li><a href="${page.path}"${current}>${escapeText(page.title)}</a>${isCurrent ? entries : ''}</li>`;
  });
  return `<details${isOpen ? ' open' : ''}><summary>${escapeText(title)}</summary><ul>
${items.join('\n')}
</ul></details>`;
}

function contentsOf(headings: Heading[]): string {
  const below = headings.filter(({ level }) => level === 2 || level === 3);
  const shown = below.length > MOST_HEADINGS ? below.filter(({ level }) => level === 2) : below;
  if (shown.length < 2) return '<div class="on-this-page"></div>\n';
  const items = shown.map(
    ({ level, text, anchor }) => `<li class="level-${level}"><a href="#${anchor}">${escapeText(text)}</a></li>`,
  );
  return `<nav class="on-this-page" aria-labelledby="contents-title">
<h2 id="contents-title">On this page</h2>
<ul>
${items.join('\n')}
</ul>
</nav>
`;
}

function footer(page: Page): string {
  const at = pages.indexOf(page);
  const link = (to: Page | undefined, rel: 'prev' | 'next') =>
    to &&
    `<a rel="${rel}" href="${to.path}"><span>${rel === 'prev' ? 'Previous' : 'Next'}</span> ${escapeText(to.title)}</a>`;
  const links = [link(pages[at - 1], 'prev'), link(pages[at + 1], 'next')].filter((each) => each !== undefined);
  const markdown = page.file ? `<p class="source"><a href="${page.path}.md">This page as Markdown</a></p>\n` : '';
  return `<footer>
<nav class="neighbors" aria-label="Previous and next page">
${links.join('\n')}
</nav>
${markdown}</footer>
`;
}

const SEARCH = `<dialog id="search-box" aria-label="Search">
<form method="dialog" role="search">
${icons.search}<input id="search-query" type="text" enterkeyhint="search" placeholder="Search the documentation" aria-label="Search the documentation" role="combobox" aria-expanded="false" aria-controls="search-results" aria-autocomplete="list" autocomplete="off" spellcheck="false">
<button type="submit" aria-label="Esc: close">Esc</button>
</form>
<p id="search-status" role="status"></p>
<div id="search-results" role="listbox" aria-label="Results"></div>
</dialog>`;
