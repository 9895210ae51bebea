// Reads the log streams of a project, with how far each is behind.

import type { LogStream } from '@toolgate/contract/log-streams/log-stream.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { lagOf, lagsOf } from './lag.ts';
import { showLogStream } from './log-stream.ts';
import { pageOfLogStreams, selectLogStream } from './store.ts';

export async function listLogStreams(app: App, caller: Caller, query: PageQuery): Promise<Page<LogStream>> {
  const page = await pageOfLogStreams(app.database, projectOf(caller).id, query);
  const lags = await lagsOf(app, page.rows);
  return makePage(
    page,
    page.rows.map((row, i) => showLogStream(row, lags[i] ?? 0, app.now())),
  );
}

export async function readLogStream(app: App, caller: Caller, id: string): Promise<LogStream> {
  const row = await getRow(app, caller, id, selectLogStream);
  return showLogStream(row, await lagOf(app, row), app.now());
}
