// The rows of a list that are selected, to do something with all of them.

import { Checkbox } from '../forms/field.tsx';

/** The selected rows, by id. */
export type Selected<Row> = ReadonlyMap<string, Row>;

type Selectable = { id: string };
type ColumnOptions<Row> = {
  selected: Selected<Row>;
  onSelect: (selected: Selected<Row>) => void;
  nameOf: (row: Row) => string;
};

/** The first column of a DataTable. Its head selects the rows of the page. */
export function selectColumn<Row extends Selectable>({ selected, onSelect, nameOf }: ColumnOptions<Row>) {
  const set = (rows: Row[], isOn: boolean) => {
    const next = new Map(selected);
    for (const row of rows) isOn ? next.set(row.id, row) : next.delete(row.id);
    onSelect(next);
  };
  return {
    header: 'Select',
    hideHeader: true,
    width: 'w-9',
    head: (rows: Row[]) => (
      <Checkbox
        aria-label="Select all on this page"
        disabled={rows.length === 0}
        checked={rows.length > 0 && rows.every(({ id }) => selected.has(id))}
        onChange={(event) => set(rows, event.target.checked)}
        className="block"
      />
    ),
    cell: (row: Row) => (
      <Checkbox
        aria-label={`Select ${nameOf(row)}`}
        checked={selected.has(row.id)}
        onChange={(event) => set([row], event.target.checked)}
        className="relative z-10 block"
      />
    ),
  };
}
