// The search: "/" or Ctrl K opens it, arrows choose a result, Enter opens it. The index is fetched when the search is first opened.

import MiniSearch from 'minisearch';
import { excerptOf, mark } from './excerpt.ts';
import { find } from './find.ts';
import { type Entry, indexOptions } from './search-options.ts';

const MOST_RESULTS = 20;

type Result = Pick<Entry, 'id' | 'title' | 'page' | 'text'> & { terms: string[] };

export function listenToSearch(): void {
  const dialog = find<HTMLDialogElement>('search-box');
  const query = find<HTMLInputElement>('search-query');
  const open = () => {
    if (!dialog.open) dialog.showModal();
    query.select();
    loadIndex().then(() => show(query), showFailure);
  };
  find('open-search').addEventListener('click', open);
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, target } = event;
    const isTyping = target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]');
    if (!(key === '/' && !isTyping) && !(key === 'k' && (ctrlKey || metaKey))) return;
    event.preventDefault();
    open();
  });
  // Not only the box itself: a click beside it closes it.
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  query.addEventListener('input', () => show(query));
  query.addEventListener('keydown', (event) => chooseByKey(event, query));
  find('search-results').addEventListener('click', () => dialog.close());
}

let index: MiniSearch<Entry> | null = null;
let loading: Promise<void> | null = null;

function loadIndex(): Promise<void> {
  const { search: address = '' } = document.documentElement.dataset;
  const load = async () => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`status ${response.status}`);
    index = MiniSearch.loadJSON(await response.text(), indexOptions);
  };
  loading ??= load();
  return loading;
}

function showFailure(): void {
  loading = null;
  setStatus('The search could not be loaded. Close it and try again.');
}

const setStatus = (text: string) => (find('search-status').textContent = text);

/** Everything that has all words; if nothing has, what has one of them. */
function findResults(text: string): Result[] {
  if (index === null) return [];
  const all = index.search(text);
  const found = all.length > 0 ? all : index.search(text, { combineWith: 'OR' });
  return found.slice(0, MOST_RESULTS) as unknown as Result[];
}

function show(query: HTMLInputElement): void {
  const text = query.value.trim();
  const found = text === '' ? [] : findResults(text);
  find('search-results').replaceChildren(...found.map(drawResult));
  query.setAttribute('aria-expanded', String(found.length > 0));
  if (index !== null) setStatus(text === '' ? '' : found.length === 0 ? `Nothing was found for “${text}”.` : '');
  choose(query, 0);
}

function drawResult({ id, title, page, text, terms }: Result, position: number): HTMLElement {
  const link = document.createElement('a');
  link.id = `result-${position}`;
  link.role = 'option';
  link.href = id;
  link.tabIndex = -1;
  const heading = document.createElement('strong');
  heading.append(...mark(title, terms));
  const where = document.createElement('small');
  where.textContent = page;
  const excerpt = document.createElement('span');
  excerpt.append(...mark(excerptOf(text, terms), terms));
  link.append(heading, where, excerpt);
  return link;
}

function chooseByKey(event: KeyboardEvent, query: HTMLInputElement): void {
  const items = [...find('search-results').querySelectorAll('a')];
  const chosen = items.findIndex((item) => item.ariaSelected === 'true');
  if (event.key === 'ArrowDown') choose(query, Math.min(chosen + 1, items.length - 1));
  else if (event.key === 'ArrowUp') choose(query, Math.max(chosen - 1, 0));
  else if (event.key === 'Enter') items[chosen]?.click();
  else return;
  event.preventDefault();
}

function choose(query: HTMLInputElement, position: number): void {
  for (const [i, item] of [...find('search-results').children].entries()) {
    item.ariaSelected = String(i === position);
    if (i !== position) continue;
    query.setAttribute('aria-activedescendant', item.id);
    item.scrollIntoView({ block: 'nearest' });
  }
  if (find('search-results').childElementCount === 0) query.removeAttribute('aria-activedescendant');
}
