// Medians, quantiles, and ratios of what was measured in the same round.

export function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const median = (values: number[]): number => quantile(values, 0.5);

const ratios = (ours: number[], theirs: number[]) => ours.map((cost, round) => cost / (theirs[round] as number));
const differences = (ours: number[], theirs: number[]) => ours.map((cost, round) => cost - (theirs[round] as number));

/** The median of the ratios of each round: both figures of a round were measured under the same load. */
export const ratio = (ours: number[], theirs: number[]): number => median(ratios(ours, theirs));

/** The median of the differences of each round. */
export const difference = (ours: number[], theirs: number[]): number => median(differences(ours, theirs));

/** Over the rounds: a bound inside of it is neither shown to hold nor to fail. */
export type Spread = { least: number; most: number };

export const ratioSpread = (ours: number[], theirs: number[]): Spread => spread(ratios(ours, theirs));
export const differenceSpread = (ours: number[], theirs: number[]): Spread => spread(differences(ours, theirs));

function spread(values: number[]): Spread {
  return { least: Math.min(...values), most: Math.max(...values) };
}
