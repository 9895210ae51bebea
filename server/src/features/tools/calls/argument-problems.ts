// Everything that is wrong with the arguments of a call, so that a model can correct all of it at once. Not on the way of a call
// that is valid: that one ends as soon as findProblems() returns null.

import { setTimeout as sleep } from 'node:timers/promises';
import { isReserved } from '@toolgate/contract/custom-tools/reserved-variables.ts';
import { type ProblemLister, tooLarge, type Validator } from '../../../engines/json-schema/instantiate.ts';
import { cut, type Listed, type Problem } from '../../../engines/json-schema/problem.ts';
import { inexactNumbers } from '../../../engines/json-text/inexact-numbers.ts';

/** `fixed`: arguments that the tool sets itself. `wrong` is what the validator found first. */
export type Found = { reserved: string[]; fixed: readonly string[]; inexact: string[]; wrong: Problem[] };

const MAX_PROBLEMS = 20;
const MAX_BYTES = 4096;
/** Then the response has the first problems only. Compiling usually takes milliseconds. */
const LISTER_WITHIN_MS = 1_000;

const RESERVED = 'is reserved: leave it out';
const FIXED = 'is set by the tool: leave it out';
const INEXACT = 'is a number that would lose precision: send it as a string';
const NOTHING_LISTED: Listed = { problems: [], more: 0 };
const NONE: readonly string[] = [];
const PERHAPS_MORE = { field: '', message: 'and perhaps more' };

/** Null: the arguments are valid. `fixed`: those that the caller gave although the tool sets them. */
export function findProblems(
  given: object,
  validate: Validator,
  fixed: readonly string[] = NONE,
  takes_reserved = false,
): Found | null {
  const reserved: string[] = [];
  if (!takes_reserved) for (const name in given) if (isReserved(name)) reserved.push(name);
  // One more than is shown: enough to say that there are more.
  const inexact = inexactNumbers(given, MAX_PROBLEMS + 1);
  const wrong = validate(given) ?? [];
  const count = reserved.length + fixed.length + inexact.length + wrong.length;
  return count === 0 ? null : { reserved, fixed, inexact, wrong };
}

/** The first problem is the same that a validator which stops there would report. */
export async function listProblems(
  given: object,
  { reserved, fixed, inexact, wrong }: Found,
  findLister: () => Promise<ProblemLister>,
  request_problems: readonly Problem[],
): Promise<Problem[]> {
  // What is too large for the validator is too large for the lister.
  const listed = wrong.length === 0 || wrong === tooLarge ? NOTHING_LISTED : await list(given, findLister);
  const isKnown = ({ field, message }: Problem) => message === 'is not a known field' && reserved.includes(field);
  const known = [
    ...reserved.map((field) => ({ field, message: RESERVED })),
    ...fixed.map((field) => ({ field, message: FIXED })),
    ...inexact.map((field) => ({ field, message: INEXACT })),
    ...[...wrong, ...(listed?.problems ?? [])].filter((problem) => !isKnown(problem)),
  ];
  const fields = new Set(known.map(({ field }) => field.split('.')[0]));
  return bound([...known, ...request_problems.filter(({ field }) => !fields.has(field))], listed);
}

async function list(given: object, findLister: () => Promise<ProblemLister>): Promise<Listed | null> {
  const done = new AbortController();
  try {
    const late = sleep(LISTER_WITHIN_MS, null, { ref: false, signal: done.signal }).catch(() => null);
    // Without a lister, because too many schemas are compiled at the moment, the first problems are still useful.
    const lister = await Promise.race([findLister().catch(() => null), late]);
    return lister === null ? null : lister(given, MAX_PROBLEMS);
  } finally {
    done.abort();
  }
}

/** At most 20 different problems and 4 KiB of text. */
export function bound(problems: readonly Problem[], listed: Listed | null = NOTHING_LISTED): Problem[] {
  const unique = new Map(problems.map((problem) => [`${problem.field}\n${problem.message}`, problem]));
  const kept: Problem[] = [];
  let bytes = 0;
  for (const { field, message } of unique.values()) {
    const problem = { field: cut(field), message: cut(message) };
    bytes += Buffer.byteLength(problem.field + problem.message);
    if (kept.length === MAX_PROBLEMS || (kept.length > 0 && bytes > MAX_BYTES)) break;
    kept.push(problem);
  }
  const more = unique.size - kept.length + (listed?.more ?? 0);
  if (more > 0) kept.push({ field: '', message: `and ${more} more` });
  else if (listed === null) kept.push(PERHAPS_MORE);
  return kept;
}
