// Who may use an email domain for single sign-on: whoever can set a TXT record of it. Owners of the first organization, who operate
// the installation, need none.

import { domainRecord, normalizeDomain } from '@toolgate/contract/organizations/sso-rules.ts';
import type { AccountCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';

/** For an email address, in the form that domains are stored in. Null if it has none that could be. */
export const domainOf = (email: string) => normalizeDomain(email.slice(email.lastIndexOf('@') + 1));

/** Do not hold a database permit: it waits for the DNS. */
export async function refuseUnproven(app: App, caller: AccountCaller, domains: string[]): Promise<void> {
  const unproven = await findUnproven(app, caller, domains);
  if (unproven === null) return;
  const { name: record_name, value: record_value } = domainRecord(unproven, caller.organization_id);
  throw invalidField('domains', `${unproven} is not verified: add the TXT record ${record_name} "${record_value}"`, {
    reason: 'domain_not_proven',
    value: unproven,
    record_name,
    record_value,
  });
}

/** Returns the first domain without its record, or null. */
export async function findUnproven(
  app: App,
  { organization_id, is_operator }: AccountCaller,
  domains: string[],
): Promise<string | null> {
  if (is_operator) return null;
  const proven = await Promise.all(domains.map((domain) => isProven(app, domain, organization_id)));
  return domains.find((_, index) => !proven[index]) ?? null;
}

async function isProven(app: App, domain: string, organization_id: string): Promise<boolean> {
  const { name, value } = domainRecord(domain, organization_id);
  try {
    return (await app.lookupText(name)).some((text) => text.trim() === value);
  } catch {
    return false; // no such name, no such record, or no name server that responds
  }
}
