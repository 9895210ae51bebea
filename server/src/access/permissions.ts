// What a credential may do. `admin` implies all; nothing else implies anything (contract 3).

export const permissions = ['read', 'write', 'admin', 'webhook'] as const;

export type Permission = (typeof permissions)[number];

export function allows(held: readonly Permission[], needed: Permission): boolean {
  return held.includes(needed) || held.includes('admin');
}
