// Returns which tools cost models most tokens, and who was refused by limits most often. From the call log, and from so many of its
// newest calls that the response takes milliseconds however many there are.

import type { ResultReport, ResultReportQuery } from '@toolgate/contract/analytics/result-report.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { readInTime } from '../../../database/read-in-time.ts';
import { invalidField } from '../../../errors/errors.ts';
import { DAY_MS } from './intervals.ts';
import { type GroupNames, readableNames } from './read-analytics.ts';
import { type LimitedCaller, selectLimitedCallers, selectToolResults } from './result-store.ts';

const MAX_CALLS = 20_000;
const MAX_TOOLS = 50;
const MAX_CALLERS = 20;

export async function readResults(
  app: App,
  caller: Caller,
  query: ResultReportQuery,
  names: GroupNames,
): Promise<ResultReport> {
  const project_id = projectOf(caller).id;
  const range = readRange(query, app.now());
  const { counted, tools, limited, found } = await readInTime(app, async (app) => {
    const results = await selectToolResults(app.database, project_id, range, {
      max_calls: MAX_CALLS,
      max_tools: MAX_TOOLS,
    });
    const limited = await selectLimitedCallers(app.database, project_id, range, {
      max_calls: MAX_CALLS,
      max_callers: MAX_CALLERS,
    });
    return { ...results, limited, found: await findNames(app, project_id, limited, readableNames(caller, names)) };
  });
  const from = new Date(range.from).toISOString();
  return {
    object: 'result_report',
    from,
    to: new Date(range.to).toISOString(),
    counted_from: counted.read < MAX_CALLS ? from : (counted.oldest ?? from),
    tools,
    limited: limited.map((each) => ({ ...each, name: found.get(each.id) ?? null })),
  };
}

/** The last 24 hours, unless told otherwise. */
function readRange(given: ResultReportQuery, now: number): { from: number; to: number } {
  const to = given.to === undefined ? now : Date.parse(given.to);
  const from = given.from === undefined ? to - DAY_MS : Date.parse(given.from);
  if (from >= to) throw invalidField('from', 'must be before `to`');
  return { from, to };
}

async function findNames(
  app: App,
  project_id: string,
  limited: LimitedCaller[],
  names: GroupNames,
): Promise<Map<string, string>> {
  const idsOf = (kind: LimitedCaller['kind']) => limited.filter((each) => each.kind === kind).map(({ id }) => id);
  const [members, keys] = [idsOf('member'), idsOf('api_key')];
  return new Map([
    ...(members.length > 0 ? await names.member(app, project_id, members) : []),
    ...(keys.length > 0 ? await names.api_key(app, project_id, keys) : []),
  ]);
}
