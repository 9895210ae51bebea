// An index of texts in several fields, ranked by BM25F: a term counts more the fewer documents have it, in short fields, and in
// fields with a higher weight. It keeps terms and numbers only.

import { type KnownRuns, synonymsOf, termsOf } from './terms.ts';

/** How fast further occurrences of a term count less. */
const K1 = 1.2;

/** How much a term counts that only means the same as the one in the query. */
const SYNONYM_WEIGHT = 0.5;

/** `weight`: how much an occurrence counts; `b`: how much the length of the field matters, from 0 to 1. */
const fields = {
  name: { weight: 3, b: 0.5 },
  title: { weight: 3, b: 0.5 },
  description: { weight: 1, b: 0.75 },
  arguments: { weight: 0.5, b: 0.75 },
  tags: { weight: 0.5, b: 0.5 },
} as const;

type Field = keyof typeof fields;
const fieldNames = Object.keys(fields) as Field[];

export type SearchDocument = Record<Field, string>;

/** The documents that have a term, and how much it counts in each. */
type Postings = { documents: Uint32Array; counts: Float32Array };

export type SearchIndex = {
  size: number;
  postings: ReadonlyMap<string, Postings>;
  /** An estimate of its memory. */
  bytes: number;
};

/** Lets others work: called every some milliseconds. */
type Pause = () => Promise<unknown>;

const PAUSE_AFTER = 50_000;

/** For an index. 10,000 tools of real APIs have fewer; random text would need memory without end, and is not found by all its terms. */
const MAX_TERMS = 50_000;
/** For a query: more cost time, and hardly change what is found. */
const MAX_QUERY_TERMS = 32;
/** Measured, with its entry in the map. */
const BYTES_OF_TERM = 550;

/** Takes documents one by one, so that building a large index can pause. Documents are numbered from 0. */
export function startIndex(): { add(document: SearchDocument): void; finish(pause?: Pause): Promise<SearchIndex> } {
  let size = 0;
  /** By term: document, field and count, in turn. */
  const found = new Map<string, number[]>();
  const lengths = fieldNames.map((): number[] => []);
  const known: KnownRuns = new Map();
  return {
    add(document) {
      for (const [place, name] of fieldNames.entries()) {
        const terms = termsOf(document[name], known);
        lengths[place]?.push(terms.length);
        for (const [term, count] of countTerms(terms)) {
          const entries = found.get(term);
          if (entries) entries.push(size, place, count);
          else if (found.size < MAX_TERMS) found.set(term, [size, place, count]);
        }
      }
      size += 1;
      if (known.size > MAX_TERMS) known.clear();
    },
    finish: (pause) => finishIndex(size, found, lengths, pause),
  };
}

function countTerms(terms: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

async function finishIndex(
  size: number,
  found: Map<string, number[]>,
  lengths: number[][],
  pause?: Pause,
): Promise<SearchIndex> {
  const means = lengths.map((all) => Math.max(1, all.reduce((sum, length) => sum + length, 0) / Math.max(1, size)));
  const postings = new Map<string, Postings>();
  let bytes = 0;
  let done = 0;
  for (const [term, entries] of found) {
    done += entries.length;
    if (pause && done > PAUSE_AFTER) {
      done = 0;
      await pause();
    }
    const counts = new Map<number, number>();
    for (let at = 0; at < entries.length; at += 3) {
      const document = entries[at] as number;
      const place = entries[at + 1] as number;
      const count = entries[at + 2] as number;
      const { weight, b } = fields[fieldNames[place] as Field];
      const length = (lengths[place]?.[document] ?? 0) / (means[place] as number);
      counts.set(document, (counts.get(document) ?? 0) + (weight * count) / (1 - b + b * length));
    }
    postings.set(term, { documents: Uint32Array.from(counts.keys()), counts: Float32Array.from(counts.values()) });
    bytes += BYTES_OF_TERM + 2 * term.length + 8 * counts.size;
  }
  return { size, postings, bytes };
}

/** The documents that may be found. The others do not count in anything that ranks these. */
export type Visible = Pick<ReadonlySet<number>, 'size' | 'has'>;

/** The numbers of the best documents, best first. */
export function rank(index: SearchIndex, query: string, limit: number, visible: Visible): number[] {
  const scores = new Float64Array(index.size);
  for (const term of [...new Set(termsOf(query))].slice(0, MAX_QUERY_TERMS)) addScores(index, term, visible, scores);
  return bestOf(scores, limit);
}

function addScores({ size, postings }: SearchIndex, term: string, visible: Visible, scores: Float64Array): void {
  const counts = new Float32Array(size);
  let having = 0;
  const add = (found: Postings | undefined, weight: number) => {
    if (!found) return;
    const { documents } = found;
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] as number;
      if (!visible.has(document)) continue;
      if (counts[document] === 0) having += 1;
      counts[document] = (counts[document] as number) + weight * (found.counts[at] as number);
    }
  };
  add(postings.get(term), 1);
  for (const synonym of synonymsOf(term)) add(postings.get(synonym), SYNONYM_WEIGHT);
  if (having === 0) return;
  const rarity = Math.log(1 + (visible.size - having + 0.5) / (having + 0.5));
  for (let document = 0; document < size; document += 1) {
    const count = counts[document] as number;
    if (count > 0) scores[document] = (scores[document] as number) + (rarity * count) / (K1 + count);
  }
}

/** For equal scores, the first. */
function bestOf(scores: Float64Array, limit: number): number[] {
  const best: number[] = [];
  const scoreOf = (place: number) => scores[best[place] as number] as number;
  for (const [document, score] of scores.entries()) {
    if (score === 0 || (best.length === limit && score <= scoreOf(limit - 1))) continue;
    let place = best.length;
    while (place > 0 && scoreOf(place - 1) < score) place -= 1;
    best.splice(place, 0, document);
    if (best.length > limit) best.pop();
  }
  return best;
}
