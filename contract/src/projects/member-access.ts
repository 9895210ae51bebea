// Which toolsets members see, by what is said of them when they sign in.

import { z } from 'zod';
import { text } from '../fields.ts';
import { noneTwice } from '../toolsets/fields.ts';
import { MAX_ASSIGNED_TOOLSETS, MAX_MEMBER_RULES } from '../toolsets/rules.ts';
import type { MemberAccess } from './toolsets-of-member.ts';

const toolsets = z
  .array(text(1, 40))
  .max(MAX_ASSIGNED_TOOLSETS, { abort: true })
  .refine(noneTwice, 'must not list a toolset twice')
  .meta({ description: "Slugs of the project's toolsets", example: ['support'] });

const rule = z
  .strictObject({
    claim: text(1, 128).meta({ description: 'Name of the claim', example: 'role' }),
    equals: z.union([text(0, 256), z.number(), z.boolean()]).meta({
      description: 'The value that the claim must have, or that a list must contain',
      example: 'support',
    }),
    toolsets,
  })
  .meta({ id: 'MemberRule' });

export const memberAccess = z
  .strictObject({
    default: toolsets.nullable().meta({
      description: 'Toolsets that every member can use. Null: every tool, or none if there are rules',
    }),
    rules: z
      .array(rule)
      .max(MAX_MEMBER_RULES, { abort: true })
      .meta({ description: 'Toolsets for members with a claim. All matching rules count, at most 100' }),
  })
  .meta({
    id: 'MemberAccess',
    description:
      'Which toolsets a member can use, decided when a session starts. Claims come from the ID token of a sign-in, or from the object `claims` of a member assertion; `toolsets` in an assertion replaces all of this. It can only restrict access',
  }) satisfies z.ZodType<MemberAccess>;
