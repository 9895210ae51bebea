// The choices of a select: the values of the contract, in its order, with the words that people read.

export type Option<Value extends string = string> = { value: Value; label: string; disabled?: boolean };

/** `labels`: left out if the value itself is the word. */
export function optionsOf<Value extends string>(
  values: readonly Value[],
  labels?: Record<Value, string>,
): Option<Value>[] {
  return values.map((value) => ({ value, label: labels?.[value] ?? value }));
}
