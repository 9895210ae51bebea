// The limits of single sign-on, and how the ownership of a domain is proven. Without zod: the dashboard ships it to browsers.

export const MAX_SSO_DOMAINS = 10;
export const MAX_ROLE_MAP_ENTRIES = 200;

/** How long a session lasts that was made by single sign-on. */
export const SSO_SESSION_HOURS = 12;

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = new RegExp(`^(?=.{4,253}$)(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`);

/** Letters, digits, hyphens and the dots of all scripts: nothing that could end the host name of a URL, or is decoded in one. */
const NAME = /^[\p{L}\p{M}\p{N}.\u3002\uFF0E\uFF61-]+$/u;

/**
 * The form in which domains are stored, compared and proven: lower case, international names in ASCII (UTS 46), without spaces around
 * it and without the dot of the root. Null for what is no domain name with at least one dot.
 */
export function normalizeDomain(text: string): string | null {
  const name = text.trim();
  const host = NAME.test(name) ? (URL.parse(`https://${name}`)?.hostname ?? '') : '';
  const domain = host.replace(/\.$/, '');
  return DOMAIN.test(domain) ? domain : null;
}

/** The TXT record with which whoever controls the domain gives it to the organization. */
export function domainRecord(domain: string, organization_id: string): { name: string; value: string } {
  return { name: `_toolgate.${domain}`, value: `toolgate-organization=${organization_id}` };
}

/** What a test of single sign-on checks, in this order. */
export const ssoTestSteps = [
  'break_glass',
  'domains',
  'discovery',
  'keys',
  'sign_in',
  'token',
  'id_token',
  'email',
  'role',
  'account',
] as const;

export type SsoTestStepName = (typeof ssoTestSteps)[number];
