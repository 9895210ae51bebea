// Text → the terms that it is found by: words of names in snake_case and camelCase, without endings that only grammar needs.

/** Words that say nothing about a tool. Verbs are not among them: `get` and `delete` are what tools differ in. */
const STOP_WORDS = new Set(
  `a an and any are as at be been but by can could do does for from has have how i if in into is it its me my of on or our
  shall should so some such than that the their them then there these they this those to us use used uses using via want was we
  were what when where which who will with would you your`.split(/\s+/),
);

/** Longer ones are hashes or encoded data. */
const LONGEST_TERM = 40;

const MARKUP = /<\/?[a-z][^<>]{0,200}>|https?:\/\/[^\s)>\]]+/gi;
const WORDS = /\p{L}[\p{L}\p{M}]*|\p{N}+/gu;
/** `listHTTPRequests` → `list HTTP Requests`. */
const CAMEL = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Scripts that put no spaces between words: each pair of characters is a term. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** The terms of a run of letters, or of digits, that was seen before: descriptions repeat their words. */
export type KnownRuns = Map<string, readonly string[]>;

export function termsOf(text: string, known: KnownRuns = new Map()): string[] {
  const terms: string[] = [];
  for (const run of text.replace(MARKUP, ' ').match(WORDS) ?? []) {
    let found = known.get(run);
    if (found === undefined) {
      found = run.split(CAMEL).flatMap(termsOfWord);
      known.set(run, found);
    }
    terms.push(...found);
  }
  return terms;
}

function termsOfWord(word: string): string[] {
  const plain = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  if (UNSPACED.test(plain)) return pairsOf([...plain]);
  if (plain.length > LONGEST_TERM || STOP_WORDS.has(plain)) return [];
  return [/^[a-z]+$/.test(plain) ? stem(plain) : plain];
}

function pairsOf(characters: string[]): string[] {
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** The endings that English puts on a noun or verb, so that `deleting repositories` finds `delete_repository`. */
function stem(word: string): string {
  let root = singular(word);
  root = withoutVerbEnding(root);
  if (root.length > 6 && root.endsWith('ment')) root = root.slice(0, -4);
  if (root.length > 5 && /[st]ion$/.test(root)) root = root.slice(0, -3);
  if (root.length > 3 && root.endsWith('e')) root = root.slice(0, -1);
  return root.length > 2 && root.endsWith('y') ? `${root.slice(0, -1)}i` : root;
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  return /(?:ss|x|z|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function withoutVerbEnding(word: string): string {
  const root = /^(.*[aeiouy].*)(?:ing|ed)$/.exec(word)?.[1];
  if (root === undefined || root.length < 3) return word;
  // `tagged` → `tag`, but `called` → `call`.
  return /([bdfgkmnprt])\1$/.test(root) ? root.slice(0, -1) : root;
}

/** What tools do, in words that mean the same in an API. */
const VERBS = [
  'create add new make post',
  'delete remove destroy',
  'get retrieve read show fetch view',
  'update edit change modify rename put patch',
  'list all',
].map((verbs) => verbs.split(' ').map(stem));

/** Other terms that mean the same as a term of a query. */
export function synonymsOf(term: string): string[] {
  return VERBS.find((verbs) => verbs.includes(term))?.filter((verb) => verb !== term) ?? [];
}
