// The meter that ends a validation which would block the process. It counts work instead of time, so that the same value
// always gets the same result.

/** A unit is some 20 ns of CPU time; 36 ns with the most expensive keywords measured, which end after some 55 ms. */
const budget_units = 1_500_000;
/**
 * For listing every error of a value that is known to be wrong: it is a help, so it may cost little. Some 2 ms; 40 ms measured for
 * references that fail thousands of times, each of which copies the errors before it.
 */
const listing_units = 30_000;

/** Thrown out of a validation whose budget is used up. */
export const workLimitReached = new Error('The value is too large to be validated against this schema');

// Validations are synchronous, so one meter serves them all.
export const work = { left: 0 };

export function startWork(): void {
  work.left = budget_units;
}

export function startListing(): void {
  work.left = listing_units;
}

export function spend(units: number): void {
  work.left -= units;
  if (work.left < 0) throw workLimitReached;
}

/** For keywords that go through all of a value: its length, items or names count too. */
export function spendSized(units: number, value: unknown): void {
  spend(units + sizeOf(value));
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length >> 2;
  if (Array.isArray(value)) return value.length * 4;
  if (typeof value !== 'object' || value === null) return 0;
  let names = 0;
  let letters = 0;
  for (const name in value) {
    names++;
    letters += name.length;
  }
  // An object with many names is a hash table, and listing them costs ten times as much for each.
  return letters + names * (names > 200 ? 32 : 1);
}
