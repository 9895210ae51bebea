// The first request has ended the call: its task is gone, or ends with it if the same call has joined it meanwhile.

import type { App } from '../../../../app.ts';
import { ApiError, refuse } from '../../../../errors/errors.ts';
import { type Ending, endTask } from '../../tasks/end.ts';
import { selectTask } from '../../tasks/store.ts';
import type { CallRun } from '../run.ts';
import { releaseTask } from './reserve.ts';
import { packResult } from './result.ts';

/** `error`: what the call has failed with. The call itself is not affected if this fails: then the task fails when its start takes too long. */
export async function endReserved(app: App, run: CallRun, task_id: string, error?: unknown): Promise<void> {
  try {
    if (await releaseTask(app, run, task_id)) return;
    const { project } = run.caller;
    const ending = await endingOf(app, run, error);
    await app.permits.run(
      project,
      async () => {
        const task = await selectTask(app.database, project.id, task_id, app.now());
        if (task) await endTask(app, project, task, ending, { is_recorded: true });
      },
      { must_run: true },
    );
  } catch (cause) {
    app.log.warn({ err: cause, task_id }, 'the task of a call that is over was not ended');
  }
}

async function endingOf(app: App, run: CallRun, error: unknown): Promise<Ending> {
  if (error === undefined) return { status: 'completed', result: await packResult(app, run), run };
  return { status: 'failed', refusal: error instanceof ApiError ? error : refuse.internal(), run };
}
