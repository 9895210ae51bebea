// Tools of an MCP server: those that wait for approval, new or changed since it, and those that were approved.

import { z } from 'zod';
import { TOOL_NAME, TOOL_NAME_RULE } from '../custom-tools/rules.ts';
import { text } from '../fields.ts';
import { approvedStates, MAX_SERVER_TOOLS, pendingKinds, warningCodes } from './rules.ts';

const definition = z.record(z.string(), z.unknown());
const upstreamName = text(1, 256);

const change = z
  .strictObject({
    op: z.enum(['add', 'remove', 'replace']).meta({ description: 'What happened to the member' }),
    path: z.string().meta({ description: 'JSON Pointer of the member', example: '/inputSchema/properties/limit' }),
    old: z.unknown().meta({ description: 'Its value as it was approved; null if it is new' }),
    new: z.unknown().meta({ description: 'Its value now; null if it was removed' }),
  })
  .meta({ id: 'DefinitionChange' });

export type DefinitionChange = z.infer<typeof change>;

const warning = z
  .strictObject({
    code: z.enum(warningCodes).meta({ description: 'What a person should look at before approving' }),
    path: z.string().meta({ description: 'JSON Pointer of the place in the definition', example: '/description' }),
  })
  .meta({ id: 'DefinitionWarning' });

export type DefinitionWarning = z.infer<typeof warning>;

export const pendingTool = z
  .strictObject({
    upstream_name: z.string().meta({ description: 'Its name at the server' }),
    name: z.string().meta({ description: 'The name that it gets, or has, in the project', example: 'billing_refund' }),
    kind: z.enum(pendingKinds).meta({ description: '`new`: it was never approved. `changed`: its definition differs' }),
    definition: definition.meta({ description: 'The definition as the server gives it now' }),
    approved: definition.nullable().meta({ description: 'The definition as it was approved; null for a new tool' }),
    diff: z.array(change).meta({ description: 'What differs between the two; empty for a new tool' }),
    hash: z.string().meta({ description: 'SHA-256 of the definition in the canonical form of RFC 8785' }),
    warnings: z.array(warning).meta({ description: 'What a person should look at before approving' }),
  })
  .meta({ id: 'PendingTool' });

export type PendingTool = z.infer<typeof pendingTool>;

const listState = z.enum(approvedStates).meta({
  description:
    '`ok`: the server has it as it was approved. `changed`: the server has another definition. `removed`: the server no longer lists it',
});

export const approvedTool = z
  .strictObject({
    upstream_name: z.string().meta({ description: 'Its name at the server' }),
    tool_id: z.string().meta({ description: 'Id of the tool in the project' }),
    name: z.string().meta({ description: 'Its name in the project', example: 'billing_refund' }),
    hash: z.string().meta({ description: 'SHA-256 of the approved definition in the canonical form of RFC 8785' }),
    state: listState,
  })
  .meta({ id: 'ApprovedTool' });

export type ApprovedTool = z.infer<typeof approvedTool>;

/** A page that is sorted by the name at the server. */
export const pageByName = <T extends z.ZodType>(entry: T) =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(entry).meta({ description: 'Sorted by the name at the server' }),
    has_more: z.boolean().meta({ description: 'Whether there are more entries after this page' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor` to get the next page; null on the last page' }),
  });

const tool_names = z
  .union([z.array(upstreamName).min(1).max(MAX_SERVER_TOOLS, { abort: true }), z.literal('all')])
  .meta({ description: 'Names at the server, or `all` that are pending', example: 'all' });

export const toolApproval = z
  .strictObject({
    tool_names,
    rename: z.record(upstreamName, z.string().regex(TOOL_NAME, TOOL_NAME_RULE)).default({}).meta({
      description: 'The names that tools get in the project, by their names at the server. Others get `<slug>_<name>`',
      example: {},
    }),
    hashes: z.record(upstreamName, z.string().max(64)).default({}).meta({
      description:
        'The hashes of the definitions that were reviewed, by names at the server. If one differs by now, nothing is approved',
      example: {},
    }),
    is_enabled: z.boolean().default(true).meta({
      description:
        'Whether the approved tools are enabled. `false` saves new tools disabled and disables changed ones, so that you can set who confirms their calls before anybody calls them',
    }),
  })
  .meta({ id: 'ToolApproval' });

export type ToolApproval = z.infer<typeof toolApproval>;

export const toolRejection = z.strictObject({ tool_names }).meta({ id: 'ToolRejection' });

export type ToolRejection = z.infer<typeof toolRejection>;
