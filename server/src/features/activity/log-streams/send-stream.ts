// The job that sends a log stream: one batch or file, then the cursor is advanced in the transaction that finishes the job. If the
// process ends before that, the same entries are sent again: at least once, in order.

import type { LogStreamError } from '@toolgate/contract/log-streams/log-stream.ts';
import type { App } from '../../../app.ts';
import { isDatabaseUnavailable } from '../../../database/connection.ts';
import { enqueueMissing } from '../../../queue/enqueue.ts';
import { type JobDefinition, loadRows } from '../../../queue/job-definition.ts';
import { openCredentials } from './credentials.ts';
import { disableLogStream } from './disable.ts';
import { failureOf, StreamFailure } from './failure.ts';
import { jobOf, LOG_STREAM } from './job.ts';
import { type Batch, hasBytes, readBatch } from './read-batch.ts';
import { nextAttemptAt } from './retry.ts';
import { MAX_FILE_BYTES, readFile } from './s3-file.ts';
import { type Accepted, buildRequest, type Content, sendRequest } from './send.ts';
import { type Progress, type SendingStream, saveFailure, saveProgress, selectIdle, selectSending } from './store.ts';

const BATCH = { count: 1_000, bytes: 1_000_000 };
/** How often a stream of files looks whether a file is full. */
const LOOK_EVERY_MS = 60_000;
/** A cursor that nothing follows is renewed so often, so that old partitions of the log are not read. */
const RENEW_CURSOR_MS = 600_000;
const FAILING_FOR_MS = 5 * 86_400_000;
/** A failure so long after the last one starts a new count: the service was off meanwhile. */
const FORGET_FAILURE_MS = 2 * 86_400_000;

type Outcome = { stream: SendingStream } & (
  | { kind: 'unchanged' }
  | { kind: 'progress'; progress: Progress; last_error: LogStreamError | null }
  | { kind: 'failed'; failures: number; failing_since: string; last_error: LogStreamError }
);

export const logStreamJob: JobDefinition<App, SendingStream, Outcome> = {
  kind: LOG_STREAM,
  max_concurrent: 200,
  max_per_fairness_key: 50,
  max_per_concurrency_key: 1,
  load: loadRows(selectSending),
  run: sendNext,
  saveResults,
};

/** For streams that were enabled while their last job ended. */
export async function enqueueIdleStreams(app: App): Promise<boolean> {
  const streams = await selectIdle(app.database, LOG_STREAM);
  const now = time(app.now());
  if (streams.length > 0)
    await enqueueMissing(
      app.database,
      streams.map((stream) => jobOf(stream, stream.fairness_key, now)),
    );
  return false;
}

type Result = Outcome & { next_run_at: number };

async function sendNext(app: App, stream: SendingStream): Promise<Result> {
  const began = app.now();
  try {
    return stream.kind === 's3' ? await sendFile(app, stream, began) : await sendBatch(app, stream, began);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    const failure = failureOf(error);
    const { id: stream_id, project_id } = stream;
    if (failure) app.log.warn({ project_id, stream_id, code: failure.code }, 'a log stream was not accepted');
    else app.log.error({ project_id, stream_id, err: error }, 'a log stream failed');
    return failed(
      app,
      stream,
      began,
      failure ?? new StreamFailure('internal', 'An internal error; see the server log for details.'),
    );
  }
}

async function sendBatch(app: App, stream: SendingStream, began: number): Promise<Result> {
  const batch = await readBatch(app, stream, BATCH);
  const next_run_at = batch.is_complete ? began + stream.flush_seconds * 1000 : app.now();
  if (batch.entries.length === 0) return { ...withoutEntries(stream, batch, began), next_run_at };
  const { rejected } = await send(app, stream, { entries: batch.entries });
  return { ...accepted(app, stream, batch, batch.entries.at(-1)?.id ?? null, { rejected, began }), next_run_at };
}

async function sendFile(app: App, stream: SendingStream, began: number): Promise<Result> {
  const flush_at = Date.parse(stream.flushed_at) + stream.flush_seconds * 1000;
  const look_at = Math.min(began + LOOK_EVERY_MS, Math.max(flush_at, began + 1000));
  if (began < flush_at && !(await hasBytes(app, stream, MAX_FILE_BYTES)))
    return { kind: 'unchanged', stream, next_run_at: look_at };
  const file = await readFile(app, stream);
  const next_run_at = Math.min(began + LOOK_EVERY_MS, began + stream.flush_seconds * 1000);
  if (!('body' in file)) return { ...withoutFile(stream, file, began), next_run_at };
  const { rejected } = await send(app, stream, file);
  const outcome = accepted(app, stream, file, file.last_id, { rejected, began });
  return { ...outcome, next_run_at: file.is_complete ? next_run_at : app.now() };
}

async function send(app: App, stream: SendingStream, content: Content): Promise<Accepted> {
  const credentials = await openCredentials(app, stream);
  const request = await buildRequest(content, { stream, credentials, now: app.now(), is_test: false });
  return sendRequest(app, request, { stream, credentials, fairness_key: stream.fairness_key, part: stream.id });
}

function accepted(
  app: App,
  stream: SendingStream,
  at: Omit<Batch, 'entries'>,
  last_entry_id: string | null,
  { rejected, began }: { rejected: number; began: number },
): Outcome {
  const now = time(app.now());
  const message = `The collector refused ${rejected} entries of a batch. They are not sent again.`;
  return {
    kind: 'progress',
    stream,
    progress: { ...movedTo(stream, at, began), flushed_at: now, last_sent_at: now, last_entry_id },
    last_error: rejected > 0 ? { code: 'rejected', message, status: 200, created_at: now } : null,
  };
}

/** A time of the cursor that is too early only reads more of the log. */
function movedTo({ cursor_at }: SendingStream, { cursor, is_new_cursor }: Omit<Batch, 'entries'>, began: number) {
  return { cursor, cursor_at: is_new_cursor ? time(began) : cursor_at };
}

function withoutEntries(stream: SendingStream, at: Omit<Batch, 'entries'>, began: number): Outcome {
  if (!at.is_new_cursor || began - Date.parse(stream.cursor_at) < RENEW_CURSOR_MS) return { kind: 'unchanged', stream };
  return renewed(stream, at, began);
}

/** The next file follows `flush_seconds` later. If that is soon, the next run is then anyway. */
function withoutFile(stream: SendingStream, at: Omit<Batch, 'entries'>, began: number): Outcome {
  return stream.flush_seconds * 1000 <= LOOK_EVERY_MS ? withoutEntries(stream, at, began) : renewed(stream, at, began);
}

function renewed(stream: SendingStream, at: Omit<Batch, 'entries'>, began: number): Outcome {
  const { last_sent_at, last_entry_id, last_error } = stream;
  const progress = { ...movedTo(stream, at, began), flushed_at: time(began), last_sent_at, last_entry_id };
  return { kind: 'progress', stream, progress, last_error };
}

function failed(app: App, stream: SendingStream, began: number, failure: StreamFailure): Result {
  const ended = app.now();
  const failures = stream.failures + 1;
  const { code, message, status, retry_after } = failure;
  const last = stream.last_error === null ? Number.NEGATIVE_INFINITY : Date.parse(stream.last_error.created_at);
  const goes_on = stream.failing_since !== null && ended - last < FORGET_FAILURE_MS;
  return {
    kind: 'failed',
    stream,
    failures,
    failing_since: goes_on ? (stream.failing_since as string) : time(ended),
    last_error: { code, message, status, created_at: time(ended) },
    next_run_at: nextAttemptAt({ failures, began, ended, retry_after }),
  };
}

/** In the transaction that finishes the jobs: only the worker that holds the lease advances a cursor. */
async function saveResults(app: App, outcomes: Outcome[]): Promise<void> {
  for (const outcome of outcomes) {
    const { stream } = outcome;
    if (outcome.kind === 'progress') await saveProgress(app.database, stream, outcome.progress, outcome);
    if (outcome.kind !== 'failed') continue;
    const { failures, failing_since, last_error } = outcome;
    await saveFailure(app.database, stream, { failures, failing_since, last_error });
    if (Date.parse(last_error.created_at) - Date.parse(failing_since) >= FAILING_FOR_MS)
      await disableLogStream(app, stream);
  }
}

const time = (ms: number) => new Date(ms).toISOString();
