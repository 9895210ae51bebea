// Sends one entry to the receiver of a log stream on request, and says which step failed.

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { LogStreamTest } from '@toolgate/contract/log-streams/log-stream.ts';
import {
  type LogStreamErrorCode,
  type LogStreamTestStep,
  logStreamTestSteps,
} from '@toolgate/contract/log-streams/rules.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { openCredentials } from './credentials.ts';
import { failureOf, type StreamFailure } from './failure.ts';
import type { LogStreamRow } from './log-stream.ts';
import type { Entry } from './read-batch.ts';
import { buildRequest, type Content, sendRequest } from './send.ts';
import { type SealedColumns, selectLogStream } from './store.ts';

const failedStep: Record<LogStreamErrorCode, LogStreamTestStep> = {
  secret: 'credentials',
  internal: 'credentials',
  chain: 'credentials',
  address: 'address',
  connection: 'connection',
  timeout: 'answer',
  status: 'answer',
  rejected: 'answer',
};

/** Holds no permit while the receiver responds. */
export async function testLogStream(app: App, caller: Caller, id: string): Promise<LogStreamTest> {
  const project = projectOf(caller);
  const began = app.now();
  const [stream, credentials] = await app.permits.run(project, async () => {
    const row = await getRow(app, caller, id, selectLogStream);
    return [row, await openOrFail(app, row)] as const;
  });
  const show = (failure: StreamFailure | null, status: number | null) =>
    showTest(id, failure, status, app.now() - began);
  if ('failure' in credentials) return show(credentials.failure, null);
  try {
    const content = await testContent(app, stream);
    const request = await buildRequest(content, { stream, credentials, now: app.now(), is_test: true });
    // A part of its own: it does not find the circuit breaker of the stream open.
    const { response } = await sendRequest(app, request, {
      stream,
      credentials,
      fairness_key: project.fairness_key,
      part: `${id} test`,
    });
    return show(null, response.status);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return show(failure, failure.status);
  }
}

async function openOrFail(app: App, row: LogStreamRow & SealedColumns) {
  try {
    return await openCredentials(app, row);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return { failure };
  }
}

async function testContent(app: App, stream: LogStreamRow): Promise<Content> {
  const entry = testEntry(stream.id, new Date(app.now()).toISOString());
  if (stream.kind !== 's3') return { entries: [entry] };
  return { first_id: entry.id, last_id: entry.id, body: await promisify(gzip)(`${entry.text}\n`) };
}

function testEntry(stream_id: string, created_at: string): Entry {
  const fields = { id: newId('test'), object: 'log_stream_test', stream_id, created_at };
  return { ...fields, text: JSON.stringify(fields), fields };
}

function showTest(
  log_stream_id: string,
  failure: StreamFailure | null,
  status: number | null,
  duration_ms: number,
): LogStreamTest {
  const failed = failure && failedStep[failure.code];
  const failed_at = failed ? logStreamTestSteps.indexOf(failed) : logStreamTestSteps.length;
  return {
    object: 'log_stream_test',
    log_stream_id,
    is_successful: failure === null,
    status,
    duration_ms,
    steps: logStreamTestSteps.map((step, i) => ({
      step,
      outcome: i < failed_at ? 'passed' : i === failed_at ? 'failed' : 'not_reached',
      reason: i === failed_at ? (failure?.message ?? null) : null,
    })),
  };
}
