// Which toolsets members see, by what is said of them when they sign in.

import { z } from 'zod';
import { text } from '../fields.ts';
import { noneTwice } from '../toolsets/fields.ts';
import { MAX_ASSIGNED_TOOLSETS, MAX_MEMBER_RULES } from '../toolsets/rules.ts';

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
  });

export type MemberAccess = z.infer<typeof memberAccess>;

/** What is said of a member: by an assertion or by a provider. */
export type MemberClaims = Readonly<Record<string, unknown>>;

/** The slugs of the toolsets that a member sees; null: every tool. */
export function toolsetsOfMember({ default: everybody, rules }: MemberAccess, claims: MemberClaims): string[] | null {
  if (everybody === null && rules.length === 0) return null;
  const matching = rules.filter(({ claim, equals }) => Object.hasOwn(claims, claim) && hasValue(claims[claim], equals));
  return [...new Set([...(everybody ?? []), ...matching.flatMap((each) => each.toolsets)])];
}

const hasValue = (claim: unknown, value: unknown) => (Array.isArray(claim) ? claim.includes(value) : claim === value);

const MAX_KEPT_BYTES = 2048;

/**
 * The claims of a sign-in that rules compare: no other is kept. A rule that is added later does not match until the person signs in
 * again.
 */
export function claimsForRules({ rules }: MemberAccess, claims: MemberClaims): MemberClaims {
  const named = new Set(rules.map(({ claim }) => claim));
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  const kept = Object.entries(claims).filter(
    ([name, value]) =>
      named.has(name) &&
      (isPlain(value) || (Array.isArray(value) && value.every((each) => typeof each === 'string'))) &&
      JSON.stringify(value).length <= MAX_KEPT_BYTES,
  );
  return Object.fromEntries(kept);
}
