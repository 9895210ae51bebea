// "Export": everything that matches the filters, over all pages, as CSV or JSON.

import { Download, FileJson, FileSpreadsheet } from 'lucide-react';
import { useState } from 'react';
import { type Permission, useAccess } from '../../api/session.ts';
import { Button } from '../button.tsx';
import { Menu, MenuItem } from '../menu.tsx';
import { showError, showToast } from '../toasts.ts';
import { type CsvColumn, datedName, saveFile, toCsv } from './download.ts';

/** More would take the browser minutes; a person narrows the time down, a program uses the API. */
const MAX_ROWS = 10_000;

type ExportProps<Row> = {
  /** The beginning of the file's name. */
  name: string;
  /** All rows that match, newest first. */
  rows: () => AsyncIterable<Row>;
  columns: CsvColumn<Row>[];
  /** The permission that reading the rows needs. */
  needs?: Permission;
};

export function ExportMenu<Row>({ name, rows, columns, needs }: ExportProps<Row>) {
  const [isBusy, setBusy] = useState(false);
  const button = (
    <Button busy={isBusy} needs={needs}>
      <Download /> Export
    </Button>
  );
  const run = (save: (found: Row[]) => void) => {
    setBusy(true);
    readAll(rows())
      .then(save, showError)
      .finally(() => setBusy(false));
  };
  const isAllowed = useAccess().can(needs ?? 'read');
  const csv = (found: Row[]) => saveFile(datedName(name, 'csv'), 'text/csv', toCsv(columns, found));
  const json = (found: Row[]) =>
    saveFile(datedName(name, 'json'), 'application/json', `${JSON.stringify(found, null, 2)}\n`);
  // The button says why; it opens nothing.
  if (needs && !isAllowed) return button;
  return (
    <Menu trigger={button}>
      <MenuItem icon={<FileSpreadsheet />} onClick={() => run(csv)}>
        CSV
      </MenuItem>
      <MenuItem icon={<FileJson />} onClick={() => run(json)}>
        JSON
      </MenuItem>
    </Menu>
  );
}

async function readAll<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const found: Row[] = [];
  for await (const row of rows) {
    if (found.push(row) < MAX_ROWS) continue;
    showToast({
      title: `The newest ${MAX_ROWS.toLocaleString('en')} are exported`,
      description: 'Choose a shorter period for the rest.',
    });
    break;
  }
  return found;
}
