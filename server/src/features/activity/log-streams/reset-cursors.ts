// After a restore: the cursors of call streams name transactions of another cluster. What was not sent when the backup was made is
// sent, and some minutes before it once more.

import type { Database } from '../../../database/tables.ts';
import { cursorOfRestored } from '../analytics/calls-in-order.ts';
import { resetCallCursors } from './store.ts';

export const resetStreamCursors = (database: Database): Promise<void> => resetCallCursors(database, cursorOfRestored);
