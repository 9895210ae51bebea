// The variables that only the service may set on a call (spec 2): never declared by a schema, never given as an argument.

export const reservedVariables = ['member_id', 'project_id', 'integration_id'] as const;

const names: ReadonlySet<string> = new Set(reservedVariables);

/** In any letter case: customers' frameworks often read names without regard to it. */
export function isReserved(name: string): boolean {
  return names.has(name) || names.has(name.toLowerCase());
}
