// A toolset as fields of a form, and how the edits of two people are put together: what one added or removed stays, whoever saves last.

import type { Toolset } from '@toolgate/sdk';

const listFields = ['tool_ids', 'tags', 'pinned_tool_ids'] as const;
const singleFields = ['name', 'description', 'only', 'grant', 'exposure'] as const;

type ListField = (typeof listFields)[number];
export type SingleField = (typeof singleFields)[number];
export type FieldName = ListField | SingleField;

/** An empty `description` stands for null. */
export type ToolsetValues = Pick<Toolset, Exclude<FieldName, 'description'>> & { description: string };

export const labels: Record<FieldName, string> = {
  name: 'Name',
  description: 'Description',
  tool_ids: 'Picked tools',
  tags: 'Tags',
  only: 'Only read-only tools',
  grant: 'OAuth',
  exposure: 'In the list of a model',
  pinned_tool_ids: 'Pinned tools',
};

export function valuesOf(toolset: Toolset): ToolsetValues {
  const { name, description, tool_ids, tags, only, grant, exposure, pinned_tool_ids } = toolset;
  return { name, description: description ?? '', tool_ids, tags, only, grant, exposure, pinned_tool_ids };
}

export type Merged = {
  values: ToolsetValues;
  /** Fields that both changed, to different values: `values` has mine. */
  conflicts: SingleField[];
  /** What only the other person changed. */
  theirs: FieldName[];
};

/** `base`: what was stored when my edits began; `stored`: what is stored now. */
export function mergeEdits(base: ToolsetValues, mine: ToolsetValues, stored: ToolsetValues): Merged {
  const values: ToolsetValues = { ...stored };
  for (const field of listFields) values[field] = mergeLists(base[field], mine[field], stored[field]);
  const isMine = (field: SingleField) => mine[field] !== base[field];
  for (const field of singleFields.filter(isMine)) Object.assign(values, { [field]: mine[field] });
  return {
    values,
    conflicts: singleFields.filter(
      (field) => isMine(field) && stored[field] !== base[field] && stored[field] !== mine[field],
    ),
    theirs: changedFields(base, stored),
  };
}

/** The stored list with what I added, and without what I removed. */
function mergeLists(base: string[], mine: string[], stored: string[]): string[] {
  const removed = new Set(base.filter((each) => !mine.includes(each)));
  const added = mine.filter((each) => !base.includes(each));
  return [...new Set([...stored.filter((each) => !removed.has(each)), ...added])];
}

export function changedFields(before: ToolsetValues, after: ToolsetValues): FieldName[] {
  return (Object.keys(labels) as FieldName[]).filter((field) => !isSame(before[field], after[field]));
}

/** The order of a list says nothing. */
function isSame(one: ToolsetValues[FieldName], other: ToolsetValues[FieldName]): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((each) => other.includes(each));
}

/** Only what differs: a field that I did not touch is not sent, so that it stays as somebody else has saved it. */
export function changeOf(stored: ToolsetValues, values: ToolsetValues): Partial<Toolset> {
  const sent = { ...values, description: values.description || null };
  return Object.fromEntries(changedFields(stored, values).map((field) => [field, sent[field]]));
}
