// An approval: its columns, and how responses show it.

import type { Approval, ApprovalSummary } from '@toolgate/contract/approvals/approval.ts';
import { approvalEvents } from '@toolgate/contract/approvals/events.ts';
import { APPROVAL_PLACEHOLDER } from '@toolgate/contract/approvals/rules.ts';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import type { Row } from '../../../database/tables.ts';
import type { SealContext } from '../../../secrets/envelope.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const approvalColumns = [
  'id',
  'project_id',
  'subject_id',
  'tool_id',
  'tool_name',
  'tool_version',
  'definition_hash',
  'by',
  'arguments',
  'arguments_hash',
  'api_key_id',
  'session_id',
  'member_id',
  'integration_id',
  'account_id',
  'client_name',
  'created_at',
  'expires_at',
  'decided_at',
  'decided_by',
  'decided_via',
  'reason',
] as const;

/** With the status at the moment when it was read. */
export type ApprovalRow = Pick<Row<'approvals'>, (typeof approvalColumns)[number] | 'status'>;

export const sealContext = (id: string): SealContext => ({ table: 'approvals', column: 'arguments', row_id: id });

type Settings = Pick<Project['settings'], 'approval_url'>;

/** Without the arguments. */
export function summarizeApproval(app: Pick<App, 'config'>, settings: Settings, row: ApprovalRow): ApprovalSummary {
  const { created_at, arguments: _, subject_id: __, ...shown } = row;
  return { object: 'approval', ...shown, requested_at: created_at, url: decisionUrl(app, settings, row) };
}

export function showApproval(
  app: Pick<App, 'config'>,
  settings: Settings,
  row: ApprovalRow,
  given: Approval['arguments'],
): Approval {
  return { ...summarizeApproval(app, settings, row), arguments: given };
}

/** Whether the member decides, or the customer's backend for them. */
export const isDecidedByUser = ({ by, member_id, account_id }: Pick<ApprovalRow, 'by' | 'member_id' | 'account_id'>) =>
  by === 'user' && member_id !== null && account_id === null;

/** The page on which a person decides: the customer's own for members, if there is one. */
export function decisionUrl({ config }: Pick<App, 'config'>, { approval_url }: Settings, row: ApprovalRow): string {
  if (approval_url !== null && isDecidedByUser(row)) return approval_url.replaceAll(APPROVAL_PLACEHOLDER, row.id);
  return `${config.public_url}/approve/${row.id}`;
}

export async function openArguments(app: App, { id, project_id, arguments: sealed }: ApprovalRow) {
  const text = (await app.secrets.open(app.database, project_id, sealContext(id), sealed)).toString();
  return JSON.parse(text) as Record<string, unknown>;
}

/** The event of each decision. */
export const decisionTypes = { approved: 'approval.approved', declined: 'approval.declined' } as const;

/** Records the events of approvals. A decision also has an audit entry; a request is made by a model and has none. */
export const { newEvent, recordChange, recordChanges } = recorderOf(approvalEvents);
