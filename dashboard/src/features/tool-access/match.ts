// Which tools a limit or a hook applies to: in words, and as the values of a form and back.

import * as z from 'zod/mini';

export type ToolMatch = { tool_ids: string[] } | { toolset: string } | { tags: string[] } | null;

export const matchKinds = ['all', 'tool_ids', 'toolset', 'tags'] as const;
export type MatchKind = (typeof matchKinds)[number];

const missing: Record<MatchKind, string> = {
  all: '',
  tool_ids: 'Choose at least one tool',
  toolset: 'Choose a toolset',
  tags: 'Enter at least one tag',
};

/** The fields of a form. */
export const matchFields = {
  applies_to: z.enum(matchKinds),
  match: z.object({ tool_ids: z.array(z.string()), toolset: z.string(), tags: z.array(z.string()) }),
};

export type MatchValues = {
  applies_to: MatchKind;
  match: { tool_ids: string[]; toolset: string; tags: string[] };
};

/** For the schema of the form. */
export const matchIsChosen: z.core.CheckFn<MatchValues> = (payload) => {
  const { applies_to, match } = payload.value;
  if (applies_to === 'all' || match[applies_to].length > 0) return;
  payload.issues.push({
    code: 'custom',
    message: missing[applies_to],
    path: ['match', applies_to],
    input: payload.value,
  });
};

export function matchValuesOf(match: ToolMatch): MatchValues {
  return {
    applies_to: match === null ? 'all' : 'toolset' in match ? 'toolset' : 'tags' in match ? 'tags' : 'tool_ids',
    match: {
      tool_ids: match && 'tool_ids' in match ? match.tool_ids : [],
      toolset: match && 'toolset' in match ? match.toolset : '',
      tags: match && 'tags' in match ? match.tags : [],
    },
  };
}

/** As the API takes it. */
export const matchOf = ({ applies_to, match }: MatchValues) =>
  applies_to === 'all' ? null : { [applies_to]: match[applies_to] };

/** Which tools it is for, in words. */
export function matchText(match: ToolMatch, nameOf: (id: string) => string): string {
  if (match === null) return 'Every tool';
  if ('toolset' in match) return `Toolset ${match.toolset}`;
  if ('tags' in match) return `Tags ${match.tags.join(', ')}`;
  if (match.tool_ids.length === 0) return 'No tools: its tools or its toolset were deleted';
  return match.tool_ids.map(nameOf).join(', ');
}
