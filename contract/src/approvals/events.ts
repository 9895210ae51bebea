// The events of approvals. Without arguments: who reads events need not be allowed to see them.

import type { EventKind } from '../events/event-kind.ts';
import { examplePublicUrl, exampleTime } from '../examples.ts';
import { exampleIds } from '../ids.ts';
import { approvalSummary } from './approval.ts';

const asked = {
  id: exampleIds.approval_id,
  object: 'approval',
  project_id: exampleIds.project_id,
  tool_id: exampleIds.tool_id,
  tool_name: 'refund_order',
  tool_version: 3,
  definition_hash: 'a3f1c9d27be04f68',
  by: 'approver',
  arguments_hash: '5f2b6c0c8d5e4a7f9b1d3c2e6a8f0b4d7c9e1a3f5b8d0c2e4f6a9b1d3e5c7f80',
  api_key_id: exampleIds.api_key_id,
  session_id: null,
  member_id: null,
  integration_id: null,
  account_id: null,
  client_name: 'claude-code',
  status: 'pending',
  requested_at: exampleTime,
  expires_at: '2026-11-16T12:00:00.000000Z',
  decided_at: null,
  decided_by: null,
  decided_via: null,
  reason: null,
  url: `${examplePublicUrl}/approve/${exampleIds.approval_id}`,
};

const decided = {
  ...asked,
  decided_at: '2026-11-15T12:03:20.000000Z',
  decided_by: 'usr_2cVx7mQdKn5bWt9RzP0yLs',
  decided_via: 'dashboard',
  reason: 'Agreed with the customer',
};

const kind = (description: string, example: object) =>
  ({ description, data: approvalSummary, example, readable_with: 'read' }) satisfies EventKind;

export const approvalEvents = {
  'approval.requested': kind('A call is waiting for approval', asked),
  'approval.approved': kind('A person approved a call', { ...decided, status: 'approved' }),
  'approval.declined': kind('A person declined a call', { ...decided, status: 'declined' }),
  'approval.expired': kind('An approval expired before anyone decided, or before the approved call was made', {
    ...asked,
    status: 'expired',
  }),
};
