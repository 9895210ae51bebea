// The variables that only the service may set on a call (spec 2): no schema may declare them and no argument may have their names.

export const reservedVariables = ['member_id', 'project_id', 'integration_id'] as const;

const names: ReadonlySet<string> = new Set(reservedVariables);

/** In any letter case: frameworks of customers often ignore the case of names. */
export function isReserved(name: string): boolean {
  return names.has(name) || names.has(name.toLowerCase());
}
