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
  tool_name: z.string().meta({ description: 'Its name when it was called' }),
  tool_version: z.int().meta({ description: 'Its version when it was called' }),
  definition_hash: z.string().meta({ description: 'Hash of the definition that the approval is for' }),
  by: z.enum(confirmers).meta({ description: 'Who decides: the user, or an approver' }),
  arguments_hash: z.string().meta({
    description: 'SHA-256 of the arguments in canonical JSON (RFC 8785), in hex. It counts for these arguments only',
  }),
  api_key_id: id('The key that called, or that made the session; null: a session made by OAuth, or a person'),
  session_id: id('The member session that called'),
  member_id: id('The member for whom the call is made'),
  integration_id: id('The integration of the key or session'),
  account_id: id('The person who tries the tool'),
  client_name: id('The MCP client, as it names itself'),
  status: z.enum(approvalStatuses).meta({
    description:
      '`approved` ones are used once, by the same caller. `cancelled`: the tool or its MCP server was changed or deleted, or the credential of the caller was disabled, revoked or deleted',
  }),
  requested_at: timestamp.meta({ description: 'When the call was asked for' }),
  expires_at: timestamp.meta({
    description: 'Until then it can be decided and used: 15 minutes for a user, 24 hours for an approver',
  }),
  decided_at: timestamp.nullable().meta({ description: 'When it was decided' }),
  decided_by: id('Id of the key, account or member that decided, or `root`'),
  decided_via: z
    .enum(decisionPlaces)
    .nullable()
    .meta({ description: 'Where it was decided. `form`: the client asked its user' }),
  reason: z.string().nullable().meta({ description: 'What who decided said about it' }),
  url: z.string().meta({ description: 'The page on which a person decides' }),
};

export const approval = z
  .strictObject({
    ...fields,
    arguments: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'The arguments of the call. Null for callers who neither have `admin` nor may decide',
    }),
  })
  .meta({ id: 'Approval' });

export type Approval = z.infer<typeof approval>;

/** In events, which more people read than may see arguments. */
export const approvalSummary = z.strictObject(fields).meta({ id: 'ApprovalSummary' });

export type ApprovalSummary = z.infer<typeof approvalSummary>;

export const approvalQuery = pageQuery.extend({
  status: z.enum(approvalStatuses).optional().meta({ description: 'Only those with this status' }),
  tool_id: limitedText(64).optional().meta({ description: 'Only those of this tool' }),
});

export const decision = z
  .strictObject({
    reason: text(1, MAX_REASON_LENGTH)
      .nullable()
      .default(null)
      .meta({ description: 'Why, for the record and for who asked', example: 'Agreed with the customer' }),
  })
  .meta({ id: 'ApprovalDecision' });

export type Decision = z.infer<typeof decision>;
