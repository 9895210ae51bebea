// The errors of hooks.

import { type ErrorRow, type ReasonRow, remedyForModel } from '../error-row.ts';

export const hooksErrors = {
  callDenied: {
    status: 403,
    code: 'CALL_DENIED',
    message: 'A policy of the project denied the call',
    cause: "One of the project's hooks returned `deny`. details.hook_reason is the reason it gave.",
    remedy: 'Change whatever the policy objects to, or change the policy behind the hook in details.hook_id.',
    step: 'policy',
    // A policy that denies one call says nothing about others.
    over_mcp: 'result',
    advice: () =>
      'A policy denied the call; hook_reason is its reason, if it gave one. If the reason tells you what to change, change it and call the tool again; otherwise tell the user.',
  },
  hookFailed: {
    status: 502,
    code: 'HOOK_FAILED',
    message: 'A policy of the project could not be checked',
    cause:
      "A hook gave no usable response in time, and is set to refuse calls in this case. Nothing was sent to the tool's API.",
    remedy:
      'Make the hook in details.hook_id return a decision in time; to see its response, use Test under Hooks in the dashboard.',
    step: 'policy',
    retryable: true,
  },
} as const satisfies Record<string, ErrorRow>;

export const hooksReasons = {
  call_denied_after: {
    cause: 'A hook denied the result. The call itself has taken effect, because the API had already responded.',
    remedy: 'Do not repeat the call: it has taken effect, and a policy withholds its result.',
    step: 'policy',
    advice: remedyForModel,
  },
  hook_failed_after: {
    cause:
      'A hook gave no usable response about the result. The call itself has taken effect, because the API had already responded.',
    remedy: 'Do not repeat the call, because it has taken effect; make the hook return a decision in time.',
    step: 'policy',
    // The call has taken effect.
    retryable: false,
    advice: remedyForModel,
  },
  changed_arguments_invalid: {
    cause: 'A hook changed the arguments to ones that the tool does not accept. Nothing was sent.',
    remedy: "Correct the hook's response: its arguments do not match the tool's input_schema.",
    step: 'policy',
  },
  changed_result_invalid: {
    cause: "A hook changed the result to one that does not match the tool's output_schema.",
    remedy:
      "Correct the hook's response, because its result does not match output_schema; the call itself has taken effect.",
    step: 'policy',
    advice: remedyForModel,
  },
  call_not_recorded: {
    cause: 'The log has no arguments or result for this call, or only parts of them.',
    remedy: 'Send arguments, or result for the point after, in the body; or turn on record_payloads.',
  },
} as const satisfies Record<string, ReasonRow>;
