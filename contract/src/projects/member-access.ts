// Which toolsets members see, by what is said of them when they sign in.

import { z } from 'zod';
import { text } from '../fields.ts';
import { noneTwice } from '../toolsets/fields.ts';
import { MAX_ASSIGNED_TOOLSETS, MAX_MEMBER_RULES } from '../toolsets/rules.ts';
import type { MemberAccess } from './toolsets-of-member.ts';

const toolsets = z
  .array(text(1, 40))
  .max(MAX_ASSIGNED_TOOLSETS, { abort: true })
  .refine(noneTwice, 'must not name a toolset twice')
  .meta({ description: 'Slugs of toolsets of the project', example: ['support'] });

const rule = z
  .strictObject({
    claim: text(1, 128).meta({ description: 'Name of the claim', example: 'role' }),
    equals: z.union([text(0, 256), z.number(), z.boolean()]).meta({
      description: 'The value that the claim has, or that a list contains',
      example: 'support',
    }),
    toolsets,
  })
  .meta({ id: 'MemberRule' });

export const memberAccess = z
  .strictObject({
    default: toolsets.nullable().meta({
      description: 'Toolsets that every member sees. null: every tool, or none if there are rules',
    }),
    rules: z
      .array(rule)
      .max(MAX_MEMBER_RULES, { abort: true })
      .meta({ description: 'Toolsets for members with a claim. All rules that match count, at most 100' }),
  })
  .meta({
    id: 'MemberAccess',
    description:
      'Which toolsets a member sees, decided when a session begins. Claims are those of the ID token of a sign-in, or the object `claims` of a member assertion; `toolsets` of an assertion replaces all of it. It only ever narrows',
  }) satisfies z.ZodType<MemberAccess>;
