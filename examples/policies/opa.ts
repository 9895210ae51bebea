// Lets an OPA server decide: https://www.openpolicyagent.org/docs/rest-api. The rule `decision` of policy.rego returns the answer itself.

import type { Decide, Decision } from './serve.ts';

/** `url`: of the rule, such as http://127.0.0.1:8181/v1/data/toolgate/decision. */
export function askOpa(url: string, timeout_ms = 500): Decide {
  return async (call) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: call }),
      signal: AbortSignal.timeout(timeout_ms),
    });
    if (!response.ok) throw new Error(`OPA answered ${response.status}`);
    const { result } = (await response.json()) as { result?: Decision };
    // Without a result the rule is not defined for this input: that is no permission.
    return result ?? { decision: 'deny', reason: 'No rule allows it.' };
  };
}
