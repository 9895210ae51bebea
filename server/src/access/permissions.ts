// The permissions of a credential. `admin` implies all others; no other implies anything (contract 3).

export const permissions = ['read', 'write', 'admin', 'webhook'] as const;

export type Permission = (typeof permissions)[number];

export function allows(held: readonly Permission[], needed: Permission): boolean {
  return held.includes(needed) || held.includes('admin');
}
