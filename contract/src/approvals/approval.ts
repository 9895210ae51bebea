// An approval: a call that waits for a person, or waited for one, and what was decided.

import { z } from 'zod';
import { limitedText, pageQuery, text, timestamp } from '../fields.ts';
import { approvalStatuses, confirmers, decisionPlaces, MAX_REASON_LENGTH } from './rules.ts';

const id = (description: string) => z.string().nullable().meta({ description });

const fields = {
  id: z.string(),
  object: z.literal('approval'),
  project_id: z.string(),
  tool_id: z.string().meta({ description: 'Id of the tool' }),
  tool_name: z.string().meta({ description: "The tool's name at the time of the call" }),
  tool_version: z.int().meta({ description: "The tool's version at the time of the call" }),
  definition_hash: z.string().meta({ description: 'Hash of the definition that the approval is valid for' }),
  by: z.enum(confirmers).meta({ description: 'Who decides: the user or an approver' }),
  arguments_hash: z.string().meta({
    description:
      'SHA-256 of the arguments in canonical JSON (RFC 8785), in hex. The approval is valid only for these arguments',
  }),
  api_key_id: id(
    'The key that made the call or created the session; null for a session created with OAuth, and for a person',
  ),
  session_id: id('The member session that made the call'),
  member_id: id('The member the call is made for'),
  integration_id: id('The integration of the key or session'),
  account_id: id('The person who is trying the tool'),
  client_name: id('The name that the MCP client sent'),
  status: z.enum(approvalStatuses).meta({
    description:
      "An `approved` call can be made once, by the same caller. `cancelled`: the tool or its MCP server was changed or deleted, or the caller's credential was disabled, revoked or deleted",
  }),
  requested_at: timestamp.meta({ description: 'When the approval was requested' }),
  expires_at: timestamp.meta({
    description: 'When it expires: 15 minutes after the request for a user, 24 hours for an approver',
  }),
  decided_at: timestamp.nullable().meta({ description: 'When it was approved or declined' }),
  decided_by: id('Id of the key, account or member that approved or declined it, or `root`'),
  decided_via: z
    .enum(decisionPlaces)
    .nullable()
    .meta({ description: 'Where it was approved or declined. `form`: the client asked its user' }),
  reason: z.string().nullable().meta({ description: 'The reason that was given with the decision' }),
  url: z.string().meta({ description: 'The page where a person approves or declines the call' }),
};

export const approval = z
  .strictObject({
    ...fields,
    arguments: z.record(z.string(), z.unknown()).nullable().meta({
      description: "The call's arguments. Null for callers who neither have `admin` nor can approve the call",
    }),
  })
  .meta({ id: 'Approval' });

export type Approval = z.infer<typeof approval>;

/** In events, which more people read than may see arguments. */
export const approvalSummary = z.strictObject(fields).meta({ id: 'ApprovalSummary' });

export type ApprovalSummary = z.infer<typeof approvalSummary>;

export const approvalQuery = pageQuery.extend({
  status: z.enum(approvalStatuses).optional().meta({ description: 'Only approvals with this status' }),
  tool_id: limitedText(64).optional().meta({ description: 'Only approvals for this tool' }),
});

export const decision = z
  .strictObject({
    reason: text(1, MAX_REASON_LENGTH)
      .nullable()
      .default(null)
      .meta({ description: 'The reason, for the log and for the caller', example: 'Agreed with the customer' }),
  })
  .meta({ id: 'ApprovalDecision' });

export type Decision = z.infer<typeof decision>;
