// The rules about a tool, by what it says of itself.

import {
  derivedAnnotations,
  type ListedAnnotations,
  listedAnnotations,
  type SetAnnotations,
} from '@toolgate/contract/custom-tools/hints.ts';
import type { toolMethods } from '@toolgate/contract/custom-tools/rules.ts';
import {
  MAX_TOOL_DESCRIPTION_LENGTH,
  MAX_TOOL_NAME_LENGTH,
  MIN_TOOL_DESCRIPTION_LENGTH,
} from '@toolgate/contract/directories/rules.ts';
import { hasHidden } from '@toolgate/contract/hidden-characters.ts';
import type { Finding } from './finding.ts';

export type CheckedTool = {
  id: string;
  name: string;
  title: string | null;
  description: string | null;
  method: (typeof toolMethods)[number];
  annotations: SetAnnotations | null;
  /** Who has to confirm its calls; null: nobody. */
  confirm: object | null;
};

/** The settings of the project that concern its tools. */
export type ToolRules = { confirm_destructive: boolean };

type Problem = Omit<Finding, 'tool_id'>;

export function checkTool(tool: CheckedTool, rules: ToolRules): Finding[] {
  const listed = listedAnnotations(tool);
  const problems = [
    checkHints(tool),
    checkTitle(tool),
    checkName(tool),
    checkDescription(tool),
    checkReadsAndDestroys(tool, listed),
    checkConfirmation(tool, listed, rules),
  ];
  return problems.filter((problem) => problem !== null).map((problem) => ({ ...problem, tool_id: tool.id }));
}

function checkHints({ name, annotations }: CheckedTool): Problem | null {
  const derived = derivedAnnotations(annotations);
  if (derived.length === 0) return null;
  return {
    rule: 'hints_set',
    message: `${name}: nobody set ${wordsOf(derived)}; models see values that are derived from the method.`,
    remedy: "Review the tool's hints, and set or confirm them.",
  };
}

function checkTitle({ name, title, annotations }: CheckedTool): Problem | null {
  const given = annotations?.title ?? title;
  if (given !== null && given.trim() !== '' && !hasHidden(given)) return null;
  return {
    rule: 'titles_set',
    message:
      given === null
        ? `${name}: it has no title; models see words made from its name.`
        : `${name}: its title is blank, or has invisible characters.`,
    remedy: 'Give the tool a title that people understand.',
  };
}

function checkName({ name }: CheckedTool): Problem | null {
  if (name.length <= MAX_TOOL_NAME_LENGTH) return null;
  return {
    rule: 'name_length',
    message: `${name}: its name has ${name.length} characters.`,
    remedy: `Give the tool a name of at most ${MAX_TOOL_NAME_LENGTH} characters.`,
  };
}

function checkDescription({ name, description }: CheckedTool): Problem | null {
  const problem = descriptionProblem(description ?? '');
  if (problem === null) return null;
  return {
    rule: 'description_text',
    message: `${name}: its description ${problem}.`,
    remedy: `Describe in ${MIN_TOOL_DESCRIPTION_LENGTH} to ${MAX_TOOL_DESCRIPTION_LENGTH} plain characters what the tool does and when to call it.`,
  };
}

function descriptionProblem(description: string): string | null {
  // As a reader counts: an emoji of two code units is one character.
  const { length } = [...description.trim()];
  if (length < MIN_TOOL_DESCRIPTION_LENGTH) return length === 0 ? 'is empty' : `has only ${length} characters`;
  if (length > MAX_TOOL_DESCRIPTION_LENGTH) return `has ${length} characters`;
  return hasHidden(description) ? 'has invisible characters, or characters that change the text direction' : null;
}

/** A hint that contradicts another is refused when it is saved: what is left is a method that says otherwise. */
function checkReadsAndDestroys({ name, method }: CheckedTool, listed: ListedAnnotations): Problem | null {
  const { readOnlyHint, destructiveHint } = listed;
  const rule = 'reads_and_destroys';
  const remedy = 'Split it into a tool that reads and a tool that changes, or correct its hints.';
  if (readOnlyHint && destructiveHint)
    return { rule, message: `${name}: its hints declare it both read-only and destructive.`, remedy };
  if (method === 'GET' && destructiveHint)
    return { rule, message: `${name}: its method is GET, which reads, but its hints declare it destructive.`, remedy };
  if (method === 'DELETE' && readOnlyHint)
    return { rule, message: `${name}: its method is DELETE, but its hints declare it read-only.`, remedy };
  return null;
}

function checkConfirmation(
  { name, confirm }: CheckedTool,
  { destructiveHint }: ListedAnnotations,
  { confirm_destructive }: ToolRules,
): Problem | null {
  if (!destructiveHint || confirm !== null || confirm_destructive) return null;
  return {
    rule: 'confirmation',
    message: `${name}: it is destructive, but its calls do not require approval.`,
    remedy: "Set the tool's confirm, or confirm_destructive in the project settings.",
  };
}

function wordsOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
