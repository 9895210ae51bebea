// The errors of hooks.

import { type ErrorRow, type ReasonRow, remedyForModel } from '../error-row.ts';

export const hooksErrors = {
  callDenied: {
    status: 403,
    code: 'CALL_DENIED',
    message: 'A policy of the project denied the call',
    cause: 'A hook of the project returned `deny`. details.hook_reason is the reason that it gave.',
    remedy: 'Change what the policy objects to, or change the policy behind the hook that details.hook_id names.',
    step: 'policy',
    // A policy that denies one call says nothing about others.
    over_mcp: 'result',
    advice: () =>
      'A policy denied the call, and hook_reason says why, if anything. If that names what to change, change it and call the tool again; otherwise tell the user.',
  },
  hookFailed: {
    status: 502,
    code: 'HOOK_FAILED',
    message: 'A policy of the project could not be asked',
    cause:
      'A hook of the project gave no usable response in time, and refuses calls then. Nothing was sent to the API of the tool.',
    remedy:
      'Make the hook that details.hook_id names respond in time with a decision; Test under Hooks shows what it returns.',
    step: 'policy',
    retryable: true,
  },
} as const satisfies Record<string, ErrorRow>;

export const hooksReasons = {
  call_denied_after: {
    cause: 'A hook denied the result. The call itself has taken effect: the API had responded.',
    remedy: 'Do not repeat the call: it has taken effect, and a policy keeps its result back.',
    step: 'policy',
    advice: remedyForModel,
  },
  hook_failed_after: {
    cause: 'A hook gave no usable response about the result. The call itself has taken effect: the API had responded.',
    remedy: 'Do not repeat the call: it has taken effect. Make the hook respond in time with a decision.',
    step: 'policy',
    // The call has taken effect.
    retryable: false,
    advice: remedyForModel,
  },
  changed_arguments_invalid: {
    cause: 'A hook changed the arguments into ones that the tool does not take. Nothing was sent.',
    remedy: 'Correct what the hook returns: its arguments do not match input_schema of the tool.',
    step: 'policy',
  },
  changed_result_invalid: {
    cause: 'A hook changed the result into one that does not match output_schema of the tool.',
    remedy: 'Correct what the hook returns: its result does not match output_schema. The call itself has taken effect.',
    step: 'policy',
    advice: remedyForModel,
  },
  call_not_recorded: {
    cause: 'The log has no arguments or result of this call, or only a part of them.',
    remedy: 'Give arguments, or for the point after the result, in the body; or switch record_payloads on.',
  },
} as const satisfies Record<string, ReasonRow>;
