// Tools of an MCP server: those that wait for approval, new or changed since it, and those that were approved.

import { z } from 'zod';
import { TOOL_NAME, TOOL_NAME_RULE } from '../custom-tools/rules.ts';
import { text } from '../fields.ts';
import { approvedStates, MAX_SERVER_TOOLS, pendingKinds, warningCodes } from './rules.ts';
import { toolView } from './tool-view.ts';

const definition = z.record(z.string(), z.unknown());
const upstreamName = text(1, 256);

const change = z
  .strictObject({
    op: z.enum(['add', 'remove', 'replace']).meta({ description: 'What happened to the field' }),
    path: z.string().meta({ description: 'JSON Pointer of the field', example: '/inputSchema/properties/limit' }),
    old: z.unknown().meta({ description: 'The approved value; null if it is new' }),
    new: z.unknown().meta({ description: 'The current value; null if it was removed' }),
  })
  .meta({ id: 'DefinitionChange' });

export type DefinitionChange = z.infer<typeof change>;

const warning = z
  .strictObject({
    code: z.enum(warningCodes).meta({ description: 'What a person should check before approving' }),
    path: z.string().meta({ description: 'JSON Pointer of the place in the definition', example: '/description' }),
  })
  .meta({ id: 'DefinitionWarning' });

export type DefinitionWarning = z.infer<typeof warning>;

export const pendingTool = z
  .strictObject({
    upstream_name: z.string().meta({ description: "The tool's name on the server" }),
    name: z
      .string()
      .meta({ description: "The tool's name in the project, now or after approval", example: 'billing_refund' }),
    kind: z.enum(pendingKinds).meta({ description: '`new`: it was never approved. `changed`: its definition differs' }),
    definition: definition.meta({ description: "The server's current definition" }),
    approved: definition.nullable().meta({ description: 'The approved definition; null for a new tool' }),
    diff: z.array(change).meta({ description: 'What differs between the two; empty for a new tool' }),
    view: toolView.nullable().meta({ description: 'The current view of the tool; null without one' }),
    approved_view: toolView.nullable().meta({ description: 'The approved view; null without one' }),
    hash: z.string().meta({
      description:
        'SHA-256 of the definition in the canonical form of RFC 8785. With a view, the definition has it in `_meta["toolgate/view"]`',
    }),
    warnings: z.array(warning).meta({ description: 'What a person should check before approving' }),
  })
  .meta({ id: 'PendingTool' });

export type PendingTool = z.infer<typeof pendingTool>;

const listState = z.enum(approvedStates).meta({
  description:
    '`ok`: the server still has the approved definition. `changed`: the server has another definition. `removed`: the server no longer lists it',
});

export const approvedTool = z
  .strictObject({
    upstream_name: z.string().meta({ description: "The tool's name on the server" }),
    tool_id: z.string().meta({ description: 'Id of the tool in the project' }),
    name: z.string().meta({ description: 'Its name in the project', example: 'billing_refund' }),
    hash: z.string().meta({ description: 'SHA-256 of the approved definition in the canonical form of RFC 8785' }),
    view: toolView.nullable().meta({ description: 'The approved view of the tool; null without one' }),
    state: listState,
  })
  .meta({ id: 'ApprovedTool' });

export type ApprovedTool = z.infer<typeof approvedTool>;

/** A page that is sorted by the name at the server. */
export const pageByName = <T extends z.ZodType>(entry: T) =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(entry).meta({ description: 'Sorted by the name on the server' }),
    has_more: z.boolean().meta({ description: 'Whether there are more entries after this page' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor` to get the next page; null on the last page' }),
  });

const tool_names = z
  .union([z.array(upstreamName).min(1).max(MAX_SERVER_TOOLS, { abort: true }), z.literal('all')])
  .meta({ description: 'Names on the server, or `all` pending tools', example: 'all' });

export const toolApproval = z
  .strictObject({
    tool_names,
    rename: z.record(upstreamName, z.string().regex(TOOL_NAME, TOOL_NAME_RULE)).default({}).meta({
      description: 'The names that tools get in the project, by their names on the server. Default: `<slug>_<name>`',
      example: {},
    }),
    hashes: z.record(upstreamName, z.string().max(64)).default({}).meta({
      description:
        'The hashes of the definitions you reviewed, by the names on the server. If one of them has changed since, nothing is approved',
      example: {},
    }),
    is_enabled: z.boolean().default(true).meta({
      description:
        'Whether the approved tools are enabled. `false` saves new tools as disabled and disables changed ones, so that you can choose who approves their calls before anyone makes one',
    }),
  })
  .meta({ id: 'ToolApproval' });

export type ToolApproval = z.infer<typeof toolApproval>;

export const toolRejection = z.strictObject({ tool_names }).meta({ id: 'ToolRejection' });

export type ToolRejection = z.infer<typeof toolRejection>;
