// The limits of single sign-on, and how the ownership of a domain is proven. Without zod: the dashboard ships it to browsers.

export const MAX_SSO_DOMAINS = 10;
export const MAX_ROLE_MAP_ENTRIES = 200;

/** How long a session lasts that was made by single sign-on. */
export const SSO_SESSION_HOURS = 12;

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = new RegExp(`^(?=.{4,253}$)(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`);

/** A name in lower case with at least one dot, international names in their ASCII form. */
export const isDomain = (text: string) => DOMAIN.test(text);

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
