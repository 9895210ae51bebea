// The errors of calls that wait for a person.

import { type ErrorRow, type ReasonRow, remedyForModel } from '../error-row.ts';

export const approvalsErrors = {
  confirmationRequired: {
    status: 409,
    code: 'CONFIRMATION_REQUIRED',
    message: 'A person has to approve this call',
    cause: 'The tool has confirm set, or the project requires approval for every destructive tool. Nothing was sent.',
    remedy:
      'Have a person approve details.approval, then repeat the call with its id in the X-Toolgate-Approval header.',
    step: 'confirmation',
    retryable: true,
    advice: remedyForModel,
    is_question: true,
  },
  callDeclined: {
    status: 403,
    code: 'CALL_DECLINED',
    message: 'A person declined this call',
    cause: 'A person who can approve the call declined it. Nothing was sent.',
    remedy: 'Do not repeat the call unless the person asks for it.',
    step: 'confirmation',
    over_mcp: 'result',
    advice: remedyForModel,
  },
  callCancelled: {
    status: 409,
    code: 'CALL_CANCELLED',
    message: 'The question about this call was dismissed',
    cause: 'The person closed the question about the call without deciding. Nothing was sent.',
    remedy: 'Before you repeat the call, ask the person whether to make it.',
    step: 'confirmation',
    advice: remedyForModel,
  },
  tooManyPending: {
    status: 429,
    code: 'TOO_MANY_PENDING',
    message: 'Too many calls are waiting for approval',
    cause: 'A project can have at most 1,000 calls waiting for approval, and each member or key at most 20.',
    remedy: 'Wait until pending calls are approved or declined, or expire.',
    step: 'confirmation',
    over_mcp: 'result',
    retryable: true,
  },
  approvalNotPending: {
    status: 409,
    code: 'APPROVAL_NOT_PENDING',
    message: 'The approval is no longer pending',
    cause: 'Someone already approved or declined it, or it expired or was cancelled. See details.status.',
    remedy: 'Read the approval: its status is final.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const approvalsReasons = {
  elicitation_required: {
    cause: 'The tool requires a client that can ask its user, and this client does not declare elicitation.',
    remedy: 'Use a client that declares the elicitation capability, or set confirm.fallback to link.',
    retryable: false,
    advice: remedyForModel,
    // Nobody is asked: the client cannot.
    is_question: false,
  },
  may_not_decide: {
    cause: 'This credential cannot approve or decline this call.',
    remedy:
      "Use a key of the integration that the session came from. If the approval's by is approver, use an account or key that can approve.",
  },
  asked_itself: {
    cause: "Callers can't approve their own calls.",
    remedy: 'Have another person or another key approve or decline the call.',
  },
  can_approve_needs_admin: {
    cause: 'Only callers with the permission admin can choose who approves calls.',
    remedy: 'Leave out can_approve, or ask an admin to set it.',
  },
} as const satisfies Record<string, ReasonRow>;
