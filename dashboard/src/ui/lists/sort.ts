// The order of a table, as it is in the URL: `sort=name`, or `sort=-created_at` for the other way round.

export type SortValue = string | number | null | undefined;
export type Sort = { name: string; isDescending: boolean };

export function parseSort(text = ''): Sort {
  return { name: text.replace(/^-/, ''), isDescending: text.startsWith('-') };
}

/** A column goes from ascending to descending, and then back to the order of the API. */
export function nextSort(name: string, now: string | undefined): string | undefined {
  if (now === name) return `-${name}`;
  return now === `-${name}` ? undefined : name;
}

/** As people sort: "a" beside "A", and "key 2" before "key 10". Times of the API have one form, so that this orders them too. */
const { compare } = new Intl.Collator('en', { numeric: true });

/** Rows without a value are last either way. Equal ones stay in the order of the API. */
export function sortRows<Row>(rows: Row[], value: (row: Row) => SortValue, isDescending: boolean): Row[] {
  const direction = isDescending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: value(row) ?? null }))
    .sort((one, other) => {
      if (one.value === null || other.value === null) return Number(one.value === null) - Number(other.value === null);
      return direction * compareValues(one.value, other.value);
    })
    .map(({ row }) => row);
}

function compareValues(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number' ? one - other : compare(String(one), String(other));
}
