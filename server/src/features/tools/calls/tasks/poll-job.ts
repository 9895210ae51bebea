// The job that asks the API about the job of a task, until it has ended. A task whose start is not known when its first request must be over
// has failed: the request may have been sent, and is not sent again.

import type { App } from '../../../../app.ts';
import { refuse } from '../../../../errors/errors.ts';
import type { JobDefinition } from '../../../../queue/job-definition.ts';
import { findProject } from '../../../projects/projects/find.ts';
import { type Ending, endTask, type PolledJob } from '../../tasks/end.ts';
import { type DueTask, type Polled, selectDue, updatePolled } from '../../tasks/open-store.ts';
import { POLL } from '../../tasks/schedule.ts';
import { type PollResult, pollTask } from './poll.ts';

/** Another process changes the task at this moment. */
const BUSY_RETRY_MS = 1_000;

type Result = { polled: Polled | null };

export const pollJob: JobDefinition<App, DueTask, Result> = {
  kind: POLL,
  max_concurrent: 500,
  max_per_fairness_key: 50,
  max_per_concurrency_key: 10,
  async load(app, jobs) {
    const ids = jobs.map(({ subject }) => subject);
    return new Map((await selectDue(app.database, ids, app.now())).map((task) => [task.id, task]));
  },
  run: advance,
  async saveResults(app, results) {
    const polled = results.flatMap((result) => (result.polled ? [result.polled] : []));
    if (polled.length > 0) await updatePolled(app.database, polled);
  },
};

type Outcome = Result & { next_run_at: number | null };

async function advance(app: App, task: DueTask): Promise<Outcome> {
  const project = await findProject(app, task.project_id);
  if (!project) return { next_run_at: null, polled: null };
  const end = async (ending: Ending, polled?: PolledJob): Promise<Outcome> => {
    const ended = await endTask(app, project, task, ending, polled ? { polled } : {});
    // It may be the first request that was faster: then its job goes on.
    return { next_run_at: ended ? null : app.now() + BUSY_RETRY_MS, polled: null };
  };
  const now = app.now();
  const ends_at = Date.parse(task.expires_at);
  // Of one that is starting, the job is due when the first request must be over.
  if (task.status === 'starting')
    return ends_at > now
      ? { next_run_at: ends_at, polled: null }
      : end({ status: 'failed', refusal: refuse.taskStartUnknown() });
  if (!task.is_live) return end({ status: 'cancelled', by: 'system' });
  if (ends_at <= now) return end({ status: 'failed', refusal: refuse.taskTimedOut() });
  const result = await pollTask(app, project, task);
  switch (result.kind) {
    case 'outdated':
      return { next_run_at: now + BUSY_RETRY_MS, polled: null };
    case 'working':
      return goOn(app, task, result, ends_at);
    case 'completed':
      return end({ status: 'completed', result: result.result, run: result.run }, result.seen);
    case 'failed':
      return end({ status: 'failed', refusal: result.refusal, ...(result.run && { run: result.run }) }, result.seen);
  }
}

/** Never later than its end. */
function goOn(app: App, task: DueTask, result: PollResult & { kind: 'working' }, ends_at: number): Outcome {
  const { id, project_id } = task;
  const { progress, message, delay_ms } = result;
  const is_change = progress !== task.progress || message !== task.message;
  const now = app.now();
  const updated_at = is_change ? new Date(now).toISOString() : null;
  return {
    next_run_at: Math.min(ends_at, now + delay_ms),
    polled: { id, project_id, progress, message, updated_at },
  };
}
