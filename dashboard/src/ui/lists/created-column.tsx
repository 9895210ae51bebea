// The column with the time at which something was created, which can be sorted.

import { Time } from '../time.tsx';
import type { Column } from './data-table.tsx';

export const createdColumn = <Row extends { created_at: string }>(from: Column<Row>['from'] & string): Column<Row> => ({
  header: 'Created',
  from,
  width: 'w-32',
  sort: ['created_at', ({ created_at }) => created_at],
  cell: ({ created_at }) => <Time value={created_at} />,
});
