// The rules about a tool, by the calls of the last days.

import { MAX_RESULT_TOKENS, MAX_VIOLATION_SHARE } from '@toolgate/contract/directories/rules.ts';
import type { ResultSize } from '../../activity/analytics/result-sizes.ts';
import type { Finding } from './finding.ts';

/** `violations`: of its schema, by the results of the tool. */
export type CalledTool = ResultSize & { name: string; violations: number };

export function checkCalls(tool: CalledTool): Finding[] {
  return [checkResultTokens(tool), checkViolations(tool)].filter((finding) => finding !== null);
}

const number = (value: number) => value.toLocaleString('en-US');

function checkResultTokens({ tool_id, name, p95_tokens, read }: CalledTool): Finding | null {
  if (p95_tokens === null || p95_tokens < MAX_RESULT_TOKENS) return null;
  const calls = read === 1 ? 'its only call' : `its newest ${number(read)} calls`;
  return {
    rule: 'result_tokens',
    tool_id,
    message: `${name}: 5 % of results have ${number(p95_tokens)} tokens or more, in ${calls} of the last 7 days.`,
    remedy: "Make the tool's response rule select less, or set its max_tokens.",
  };
}

function checkViolations({ tool_id, name, violations, calls }: CalledTool): Finding | null {
  // A violation may be counted a moment before its call is.
  const all = Math.max(calls, violations);
  if (violations === 0 || violations / all < MAX_VIOLATION_SHARE) return null;
  const percent = Math.round((violations / all) * 1000) / 10;
  return {
    rule: 'schema_violations',
    tool_id,
    message: `${name}: ${number(violations)} of ${number(all)} results in the last 7 days (${percent} %) violated its output_schema.`,
    remedy: "Correct the tool's output_schema or the API's responses.",
  };
}
