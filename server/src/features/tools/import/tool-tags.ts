// The tags of an operation, made to fit those of a tool. Only a new tool gets them: who is narrowed to a toolset must not see more
// or less because a document changed.

import { MAX_TOOL_TAGS } from '@toolgate/contract/toolsets/rules.ts';

const LONGEST = 40;

/** `Order & returns` → `order-returns`. What has no letter or digit is left out. */
export function toToolTags(tags: readonly string[]): string[] {
  const fitting = tags.map((tag) =>
    tag
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{Mark}/gu, '')
      .replace(/[^a-z0-9_]+/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, LONGEST)
      .replace(/-+$/, ''),
  );
  return [...new Set(fitting)].filter((tag) => tag !== '').slice(0, MAX_TOOL_TAGS);
}
