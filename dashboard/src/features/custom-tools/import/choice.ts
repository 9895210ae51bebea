// Which operations of a document an import takes: what is chosen at first, and what a person changed.

import type { ToolImport } from '@toolgate/sdk';

export type Kind = 'new' | 'changed' | 'unchanged';
export type Operation = ToolImport['created'][number] & { kind: Kind; changed_fields?: string[] };

/** By the names of operations: whether somebody chose them or left them out. */
export type Choices = ReadonlyMap<string, boolean>;

export function operationsOf({ created, updated, unchanged }: ToolImport): Operation[] {
  return [
    ...created.map((tool) => ({ ...tool, kind: 'new' as const })),
    ...updated.map((tool) => ({ ...tool, kind: 'changed' as const })),
    ...unchanged.map((tool) => ({ ...tool, kind: 'unchanged' as const })),
  ];
}

/** What deletes is given to a model only by choice. A tool that is there already was chosen before. */
export const isLeftOutAtFirst = ({ kind, method }: Operation) => kind === 'new' && method === 'DELETE';

export function isChosen(operation: Operation, choices: Choices): boolean {
  return choices.get(operation.name) ?? !isLeftOutAtFirst(operation);
}

export const chosenOf = (preview: ToolImport, choices: Choices) =>
  operationsOf(preview).filter((operation) => isChosen(operation, choices));

/** For the request. Without a preview: all operations that would be chosen at first. */
export function selectionOf(
  preview: ToolImport | undefined,
  choices: Choices,
): { exclude?: { method: string }[]; tool_names?: string[] } {
  if (!preview) return { exclude: [{ method: 'DELETE' }] };
  const operations = operationsOf(preview);
  const chosen = chosenOf(preview, choices);
  return chosen.length === operations.length ? {} : { tool_names: chosen.map(({ name }) => name) };
}
