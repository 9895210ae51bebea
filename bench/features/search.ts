// npm run bench -- search: how often search_tools finds the right tool, and what its index costs. The tools of six OpenAPI
// documents, each as a project of its own and all as one; 100 queries, and 28 that were never used to choose how it ranks.

import { rank, type SearchIndex, startIndex } from '../../server/src/features/tools/search/bm25.ts';
import { laterQueries } from '../search/later-queries.ts';
import { type Query, queries } from '../search/queries.ts';
import { sources } from '../search/sources.ts';
import { readTools, type SearchedTool } from '../search/tools.ts';

const GOAL = 0.9;

function indexOf(tools: SearchedTool[]): Promise<SearchIndex> {
  const builder = startIndex();
  for (const { name, title, description, arguments: names, tags } of tools)
    builder.add({
      name,
      title: title ?? '',
      description: description ?? '',
      arguments: names.join(' '),
      tags: tags.join(' '),
    });
  return builder.finish();
}

const everything = ({ size }: SearchIndex) => ({ size, has: () => true });

type Recall = { queries: number; at_1: number; at_5: number; at_10: number };

async function recallOf(tools: SearchedTool[], asked: readonly Query[], shows_misses: boolean): Promise<Recall> {
  const index = await indexOf(tools);
  const recall = { queries: asked.length, at_1: 0, at_5: 0, at_10: 0 };
  for (const [query, ...expected] of asked) {
    const found = rank(index, query, 10, everything(index)).map((place) => tools[place]?.name ?? '');
    const place = found.findIndex((name) => expected.includes(name));
    if (place === 0) recall.at_1 += 1;
    if (place !== -1 && place < 5) recall.at_5 += 1;
    else if (shows_misses)
      console.log(`missed: ${query}\n  wanted ${expected.join(', ')}\n  found  ${found.slice(0, 5).join(', ')}`);
    if (place !== -1) recall.at_10 += 1;
  }
  return recall;
}

const part = (count: number, of: number) => (count / of).toFixed(2);
const row = (name: string, tools: number, { queries, at_1, at_5, at_10 }: Recall) =>
  console.log(
    `| ${name} | ${tools} | ${queries} | ${part(at_1, queries)} | ${part(at_5, queries)} | ${part(at_10, queries)} |`,
  );

function sumOf(recalls: Recall[]): Recall {
  const sum = (key: keyof Recall) => recalls.reduce((total, recall) => total + recall[key], 0);
  return { queries: sum('queries'), at_1: sum('at_1'), at_5: sum('at_5'), at_10: sum('at_10') };
}

const shows_misses = process.env.SHOW_MISSES === '1';
const projects = sources.map(({ name }) => ({ name, tools: readTools(name), asked: queries[name] ?? [] }));
const all = projects.flatMap(({ tools }) => tools);
const asked = projects.flatMap((project) => project.asked);
console.log('| Tools of | Tools | Queries | recall@1 | recall@5 | recall@10 |\n|---|---|---|---|---|---|');
const each: Recall[] = [];
const later: Recall[] = [];
for (const { name, tools, asked } of projects) {
  const recall = await recallOf(tools, asked, shows_misses);
  row(name, tools.length, recall);
  each.push(recall);
  later.push(await recallOf(tools, laterQueries[name] ?? [], shows_misses));
}
const total = sumOf(each);
row('each in its own project', all.length, total);
row('all in one project', all.length, await recallOf(all, asked, shows_misses));
row('each in its own project, later queries', all.length, sumOf(later));

const began = performance.now();
const index = await indexOf(all);
const built = performance.now() - began;
const searched = performance.now();
for (const [query] of asked) rank(index, query, 5, everything(index));
const each_ms = (performance.now() - searched) / asked.length;
console.log(
  `\nindex of ${all.length} tools: ${built.toFixed(0)} ms, ${(index.bytes / 2 ** 20).toFixed(1)} MiB, ${index.postings.size} terms; a search ${each_ms.toFixed(2)} ms`,
);

if (total.at_5 / total.queries < GOAL) {
  console.error(`recall@5 is below ${GOAL}`);
  process.exitCode = 1;
}
