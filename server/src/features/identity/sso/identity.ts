// What the claims of an ID token say of a person: the email address, the name and the role. Pure functions.

import { email as emailSchema, personName } from '@toolgate/contract/accounts/account.ts';
import { type Role, roles } from '@toolgate/contract/roles.ts';
import { domainOf } from './domains.ts';

type Claims = Readonly<Record<string, unknown>>;

export type EmailProblem = 'email_not_verified' | 'email_of_other_domain';

/** An address that the provider has not verified, or of a domain that is not the organization's, proves nothing. */
export function readEmail(claims: Claims, domains: readonly string[]): { email: string } | { problem: EmailProblem } {
  const parsed = emailSchema.safeParse(claims.email);
  if (!parsed.success || claims.email_verified !== true || !parsed.data.isWellFormed())
    return { problem: 'email_not_verified' };
  const domain = domainOf(parsed.data);
  if (domain === null || !domains.includes(domain)) return { problem: 'email_of_other_domain' };
  // The dot of the root makes no other address.
  return { email: parsed.data.replace(/\.$/, '') };
}

export function readName(claims: Claims, email: string): string {
  const parsed = personName.safeParse(typeof claims.name === 'string' ? claims.name.trim() : null);
  return parsed.success ? parsed.data : (email.split('@')[0] as string);
}

/** The values of the claim: a text, or the texts of a list. */
function readValues(claims: Claims, role_claim: string): string[] {
  const claim = Object.hasOwn(claims, role_claim) ? claims[role_claim] : undefined;
  const values = Array.isArray(claim) ? claim : [claim];
  return values.filter((value) => typeof value === 'string');
}

type RoleRules = { role_claim: string; role_map: Readonly<Record<string, Role>>; default_role: Role | null };

/** Among several values, the highest role wins. Null: no role at all. */
export function readRole(claims: Claims, { role_claim, role_map, default_role }: RoleRules): Role | null {
  const given = readValues(claims, role_claim)
    .filter((value) => Object.hasOwn(role_map, value))
    .map((value) => role_map[value]);
  return roles.find((role) => given.includes(role)) ?? default_role;
}
