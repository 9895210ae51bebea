// The debug report: every rule of verify-assertion.ts with pass, fail or skipped, what was found and how to fix it.
// It has no rules of its own: it runs the same steps and does not stop at the first failure.

import type { AssertionReport } from '@toolgate/contract/assertion-keys/assertion-report.ts';
import { advice, replayAdvice } from './assertion-advice.ts';
import { refuseAssertion } from './assertion-refusals.ts';
import {
  type Assertion,
  type AssertionInput,
  type StepName,
  type StepOutcome,
  steps,
  unparsed,
} from './verify-assertion.ts';

type RuleReport = AssertionReport['rules'][number];

export type ExplainInput = AssertionInput & { isJtiUsed: (jti: string) => Promise<boolean> | boolean };

export async function explainAssertion(input: ExplainInput): Promise<AssertionReport> {
  const assertion = unparsed(input);
  const rules: RuleReport[] = [];
  for (const [name, step] of Object.entries(steps) as [StepName, (typeof steps)[StepName]][]) {
    rules.push(report(name, await step(assertion), assertion));
  }
  rules.push(report('replay', await checkReplay(assertion, input.isJtiUsed), assertion));
  const failed = rules.find(({ status }) => status === 'fail');
  return {
    object: 'assertion_report',
    is_valid: failed === undefined,
    code: failed?.code ?? null,
    message: failed?.message ?? null,
    server_time: new Date(assertion.now).toISOString(),
    clock_difference_seconds: secondsFromNow(assertion.times?.iat, assertion),
    expires_in_seconds: secondsFromNow(assertion.times?.exp, assertion),
    rules,
  };
}

async function checkReplay(
  { claims, jti }: Assertion,
  isJtiUsed: ExplainInput['isJtiUsed'],
): Promise<StepOutcome | 'REPLAYED'> {
  if (jti !== null) return (await isJtiUsed(jti)) ? 'REPLAYED' : 'pass';
  return claims && claims.jti === undefined ? 'pass' : 'skipped';
}

function report(rule: RuleReport['rule'], outcome: StepOutcome | 'REPLAYED', assertion: Assertion): RuleReport {
  const { requires, found, how_to_fix } = rule === 'replay' ? replayAdvice : advice[rule];
  const passedOrSkipped = { code: null, message: null, how_to_fix: null };
  if (outcome === 'skipped') return { rule, status: 'skipped', requires, found: null, ...passedOrSkipped };
  if (outcome === 'pass') return { rule, status: 'pass', requires, found: found(assertion), ...passedOrSkipped };
  const { code, message } = refuseAssertion(outcome);
  return { rule, status: 'fail', requires, code, message, found: found(assertion), how_to_fix: how_to_fix(assertion) };
}

function secondsFromNow(time: number | null | undefined, { now }: Assertion): number | null {
  return time === null || time === undefined ? null : Math.round(time - now / 1000);
}
