// The rules that give members toolsets, as the form has them: one text, in which a value that is being typed need not be valid yet.

import type { MemberAccess, MemberRule } from '@toolgate/contract/projects/toolsets-of-member.ts';
import { MAX_MEMBER_RULES } from '@toolgate/contract/toolsets/rules.ts';

export const valueKinds = ['text', 'number', 'boolean'] as const;
export type ValueKind = (typeof valueKinds)[number];

export type RuleDraft = { claim: string; kind: ValueKind; value: string; toolsets: string[] };
export type RulesDraft = { default: string[] | null; rules: RuleDraft[] };

type Equals = MemberRule['equals'];

export function writeRules({ default: everybody, rules }: MemberAccess): string {
  return writeDraft({
    default: everybody,
    rules: rules.map(({ claim, equals, toolsets }) => ({
      claim,
      kind: typeof equals === 'string' ? 'text' : (typeof equals as 'number' | 'boolean'),
      value: String(equals),
      toolsets,
    })),
  });
}

export const writeDraft = (draft: RulesDraft) => JSON.stringify(draft);
export const readDraft = (text: string) => JSON.parse(text) as RulesDraft;

/** For the API, and for the function that applies rules. */
export function readRules(text: string): MemberAccess {
  const draft = readDraft(text);
  return {
    default: draft.default,
    rules: draft.rules.map(({ claim, kind, value, toolsets }) => ({
      claim: claim.trim(),
      equals: toEquals(kind, value),
      toolsets,
    })),
  };
}

function toEquals(kind: ValueKind, value: string): Equals {
  if (kind === 'number') return Number(value);
  return kind === 'boolean' ? value === 'true' : value;
}

/** What is wrong with the first rule that is wrong; null if none is. */
export function rulesProblem(text: string): string | null {
  const { rules } = readDraft(text);
  if (rules.length > MAX_MEMBER_RULES) return `Use at most ${MAX_MEMBER_RULES} rules`;
  const nameless = rules.findIndex(({ claim }) => claim.trim() === '');
  if (nameless !== -1) return `Rule ${nameless + 1}: enter the name of a claim`;
  const wrong = rules.findIndex(({ kind, value }) => kind === 'number' && !isNumber(value));
  return wrong === -1 ? null : `Rule ${wrong + 1}: enter a number`;
}

const isNumber = (value: string) => value.trim() !== '' && Number.isFinite(Number(value));

/** For the bar that says what would change. */
export function describeRules(text: string): string {
  const { default: everybody, rules } = readDraft(text);
  if (everybody === null && rules.length === 0) return 'every tool';
  const all = `everybody: ${(everybody ?? []).join(', ') || 'no tools'}`;
  return [
    all,
    ...rules.map(({ claim, value, toolsets }) => `${claim} = ${value}: ${toolsets.join(', ') || 'no tools'}`),
  ].join('; ');
}
