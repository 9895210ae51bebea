// The steps of a request: which apply to its route, and how far the request came.

import type { RequestTraceStep } from '@toolgate/contract/analytics/request-trace.ts';
import { reasonRows } from '@toolgate/contract/errors.ts';
import { type Step, steps } from '@toolgate/contract/trace-steps.ts';

/** `failed` is null when the request succeeded. */
export type Progress = {
  /** The caller of a tool call got a response, if only one that says why it failed. */
  has_response: boolean;
  failed: { step: Step; reason: string; remedy: string } | null;
  is_call: boolean;
  /** The API behind the tool responded: a hook refused its result. */
  is_answered?: boolean;
  /** Hooks were asked. */
  has_policy?: boolean;
  /** A person confirmed the call. */
  is_confirmed?: boolean;
  is_root: boolean;
  durations?: Partial<Record<Step, number | null>>;
};

const callSteps: ReadonlySet<Step> = new Set(['tool', 'toolset', 'member', 'arguments', 'address', 'upstream']);

/** Shown only where they failed, or where somebody was asked: most tools are neither limited nor confirmed, and have no hooks. */
const hiddenSteps: ReadonlySet<Step> = new Set(['policy', 'confirmation', 'limit']);

/** What comes after the hooks are asked about the arguments, and before they are asked about the result. */
const sentSteps: ReadonlySet<Step> = new Set(['confirmation', 'address', 'upstream']);

export function traceSteps(progress: Progress): RequestTraceStep[] {
  const { failed, has_response, is_call, is_root, is_answered, has_policy, is_confirmed, durations = {} } = progress;
  // A step of calls also applies where it failed: `member` when a session is created.
  const applies = (step: Step) =>
    failed?.step === step ||
    (step === 'policy' && has_policy === true) ||
    (step === 'confirmation' && is_confirmed === true) ||
    (!hiddenSteps.has(step) && (!callSteps.has(step) || is_call));
  const applicable = steps.filter((step) => applies(step) && !(is_root && step === 'rate_limit'));
  const end = failed === null ? applicable.length : applicable.indexOf(failed.step);
  const isPassedLater = (step: Step) =>
    (step === 'answer' && has_response) || (failed?.step === 'policy' && is_answered === true && sentSteps.has(step));
  const hasPassed = (step: Step, i: number) => i < end || (i > end && isPassedLater(step));
  return applicable.map((step, i) => ({
    step,
    outcome: hasPassed(step, i) ? 'passed' : i === end ? 'failed' : 'not_reached',
    duration_ms: i <= end || hasPassed(step, i) ? (durations[step] ?? null) : null,
    reason: i === end && failed ? failed.reason : null,
    remedy: i === end && failed ? failed.remedy : null,
  }));
}

/**
 * Why an API could not be reached is for `admin` only: blocked, refused and unreachable are the same to others, so that nobody can
 * scan a network (rules 4).
 */
export function hideNetwork(failed: NonNullable<Progress['failed']>, code: string | null): Progress['failed'] {
  if (code !== 'UPSTREAM_CONNECTION') return failed;
  return { step: 'upstream', reason: 'upstream_connection', remedy: reasonRows.upstream_connection.remedy };
}
