// What a response of the API says about a job, by the `polling` of the tool. No I/O.

import { parsePath } from '@toolgate/contract/custom-tools/response-paths.ts';
import type { ToolPolling } from '@toolgate/contract/tasks/polling.ts';

/** `value`: the body, if it is JSON. */
export type JobResponse = {
  status: number;
  headers: { location?: string; 'retry-after'?: string };
  value: unknown;
};

/** Where a request went: a Location may be relative to it. */
export type Requested = { origin: string; path: string };

/** `unknown`: work has begun, but nothing says where its job is. */
export type Start =
  | { kind: 'response' }
  | { kind: 'failed' }
  | { kind: 'job'; job_id: string | null; location: string | null }
  | { kind: 'unknown'; reason: 'job_id_not_found' | 'location_not_usable' };

/** The first response. One that is done already is the result as it came, and so is one that says nothing of a job. */
export function readStart(polling: ToolPolling, requested: Requested, response: JobResponse): Start {
  if (!isSuccess(response)) return { kind: 'response' };
  const state = stateOf(polling, response);
  if (state === 'failed') return { kind: 'failed' };
  if (state === 'done') return { kind: 'response' };
  const job_id = polling.job_id === null ? null : idAt(response.value, polling.job_id);
  const location = locationOf(requested, response);
  const missing = missingOf(polling, job_id, location);
  if (missing === null) return { kind: 'job', job_id, location };
  const says_working = response.status === ACCEPTED || statusAt(polling, response) !== undefined;
  return says_working ? { kind: 'unknown', reason: missing } : { kind: 'response' };
}

function missingOf(polling: ToolPolling, job_id: string | null, location: string | null) {
  if (polling.job_id !== null && job_id === null) return 'job_id_not_found';
  return polling.status_path === null && location === null ? 'location_not_usable' : null;
}

/** `refused`: with a status after which the job is asked about no more. `elsewhere`: its result is at another origin. */
export type Poll =
  | { kind: 'working' | 'done' | 'failed' | 'retry' | 'refused' | 'elsewhere' }
  | { kind: 'redirect'; location: string };

export function readPoll(polling: ToolPolling, requested: Requested, response: JobResponse): Poll {
  const { status } = response;
  if (isSuccess(response)) return { kind: stateOf(polling, response) };
  if (status === SEE_OTHER) {
    const location = locationOf(requested, response);
    return location === null ? { kind: 'elsewhere' } : { kind: 'redirect', location };
  }
  return { kind: mayPass(status) ? 'retry' : 'refused' };
}

/** Whether the same request may succeed later. */
export const mayPass = (status: number) => status >= 500 || TEMPORARY.has(status);

const ACCEPTED = 202;
const SEE_OTHER = 303;
const TEMPORARY: ReadonlySet<number> = new Set([404, 408, 425, 429]);

const isSuccess = ({ status }: JobResponse) => status >= 200 && status <= 299;

type State = 'working' | 'done' | 'failed';

function stateOf(polling: ToolPolling, response: JobResponse): State {
  if (polling.status === null) return response.status === ACCEPTED ? 'working' : 'done';
  const status = statusAt(polling, response) as never;
  if (polling.done.includes(status)) return 'done';
  return polling.failed.includes(status) ? 'failed' : 'working';
}

export const statusAt = ({ status }: ToolPolling, { value }: JobResponse): unknown =>
  status === null ? undefined : valueAt(value, status);

/** Undefined if there is nothing. */
export function valueAt(value: unknown, path: string): unknown {
  const steps = parsePath(path);
  if (typeof steps === 'string') return undefined;
  let found = value;
  for (const step of steps) {
    if (step.kind !== 'member' || typeof found !== 'object' || found === null || !Object.hasOwn(found, step.name))
      return undefined;
    found = (found as Record<string, unknown>)[step.name];
  }
  return found;
}

export function progressAt({ progress }: ToolPolling, { value }: JobResponse): number | null {
  const found = progress === null ? undefined : valueAt(value, progress);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

const MAX_ID_LENGTH = 1_024;

function idAt(value: unknown, path: string): string | null {
  const found = valueAt(value, path);
  if (typeof found === 'number') return Number.isSafeInteger(found) ? String(found) : null;
  const is_usable = typeof found === 'string' && found.length <= MAX_ID_LENGTH && found.isWellFormed();
  // An id is a part of a path: encoded, it is one segment and nothing else.
  return is_usable && found !== '' && found !== '.' && found !== '..' ? found : null;
}

const MAX_LOCATION_LENGTH = 8_192;

/** Path and query; null unless it is at the same origin. */
export function locationOf({ origin, path }: Requested, { headers: { location } }: JobResponse): string | null {
  if (location === undefined || location.length > MAX_LOCATION_LENGTH) return null;
  const url = URL.parse(location, origin + path);
  if (url === null || url.origin !== origin || url.username !== '' || url.password !== '') return null;
  return url.pathname + url.search;
}

const MIN_DELAY_MS = 1_000;

/** In milliseconds from now. `Retry-After` wins: seconds, or a date. */
export function delayOf({ interval_seconds }: ToolPolling, retry_after: string | undefined, now: number): number {
  const text = retry_after?.trim() ?? '';
  const given = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Math.max(MIN_DELAY_MS, text === '' || Number.isNaN(given) ? interval_seconds * 1000 : given);
}
