// Lets Cedar decide, in this process: `import * as cedar from '@cedar-policy/cedar-wasm/nodejs'`, and policy.cedar as text.

import type { Decide } from './serve.ts';

/** The part of @cedar-policy/cedar-wasm that is needed. */
type Cedar = { isAuthorized(call: object): ApiResponse };
type ApiResponse =
  | { type: 'success'; response: { decision: 'allow' | 'deny'; diagnostics: { errors: unknown[] } } }
  | { type: 'failure'; errors: { message: string }[] };

export function askCedar(cedar: Cedar, policies: string): Decide {
  return ({ tool, member, arguments: given = {} }) => {
    const principal = { type: 'Member', id: member?.external_id ?? 'nobody' };
    const response = cedar.isAuthorized({
      principal,
      action: { type: 'Action', id: 'call' },
      resource: { type: 'Tool', id: tool.name },
      context: { arguments: given },
      policies: { staticPolicies: policies },
      entities: [
        { uid: principal, attrs: member?.claims ?? {}, parents: [] },
        { uid: { type: 'Tool', id: tool.name }, attrs: tool.hints, parents: [] },
      ],
    });
    if (response.type === 'failure') throw new Error(response.errors.map(({ message }) => message).join('; '));
    // A policy that cannot be evaluated is ignored by Cedar, also one that forbids.
    if (response.response.diagnostics.errors.length > 0) return { decision: 'deny', reason: 'A policy failed.' };
    return response.response.decision === 'allow'
      ? { decision: 'allow' }
      : { decision: 'deny', reason: 'No policy permits it.' };
  };
}
