// The errors of calls that wait for a person.

import { type ErrorRow, type ReasonRow, remedyForModel } from '../error-row.ts';

export const approvalsErrors = {
  confirmationRequired: {
    status: 409,
    code: 'CONFIRMATION_REQUIRED',
    message: 'A person has to confirm this call',
    cause: 'The tool has confirm set, or the project asks for every destructive tool. Nothing was sent.',
    remedy:
      'Let a person decide about details.approval, then repeat the call with its id in the header X-Toolgate-Approval.',
    step: 'confirmation',
    retryable: true,
    advice: remedyForModel,
    is_question: true,
  },
  callDeclined: {
    status: 403,
    code: 'CALL_DECLINED',
    message: 'A person declined this call',
    cause: 'Somebody who may decide about the call said no. Nothing was sent.',
    remedy: 'Do not repeat the call, unless the person asks for it.',
    step: 'confirmation',
    over_mcp: 'result',
    advice: remedyForModel,
  },
  callCancelled: {
    status: 409,
    code: 'CALL_CANCELLED',
    message: 'The question about this call was dismissed',
    cause: 'The person was asked about the call, and closed the question without an answer. Nothing was sent.',
    remedy: 'Ask the person whether the call should be made, before it is repeated.',
    step: 'confirmation',
    advice: remedyForModel,
  },
  tooManyPending: {
    status: 429,
    code: 'TOO_MANY_PENDING',
    message: 'Too many calls wait for a person',
    cause: 'A project has at most 1,000 calls that wait for a person, and a member or key 20 of them.',
    remedy: 'Wait until calls that are pending were decided or have expired.',
    step: 'confirmation',
    over_mcp: 'result',
    retryable: true,
  },
  approvalNotPending: {
    status: 409,
    code: 'APPROVAL_NOT_PENDING',
    message: 'The approval is no longer pending',
    cause: 'Another decision was made before, or the approval has expired or was cancelled. details.status says which.',
    remedy: 'Read the approval: its status is final.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const approvalsReasons = {
  elicitation_required: {
    cause: 'The tool needs a client that can ask its user, and this one declares no elicitation.',
    remedy: 'Use a client that declares the capability elicitation, or set fallback of confirm to link.',
    retryable: false,
    advice: remedyForModel,
    // Nobody is asked: the client cannot.
    is_question: false,
  },
  may_not_decide: {
    cause: 'This credential may not decide about this call.',
    remedy:
      'Use a key of the integration that the session came from, or, with by approver, an account or key that may approve.',
  },
  asked_itself: {
    cause: 'Who asked for a call does not decide about it.',
    remedy: 'Let another person or another key decide.',
  },
  can_approve_needs_admin: {
    cause: 'Only callers with the permission admin decide who may approve calls.',
    remedy: 'Leave can_approve out, or ask an admin to set it.',
  },
} as const satisfies Record<string, ReasonRow>;
