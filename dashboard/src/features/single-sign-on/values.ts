// The form of single sign-on: what it shows of the settings, and what it sends.

import {
  domainRecord,
  MAX_ROLE_MAP_ENTRIES,
  MAX_SSO_DOMAINS,
  normalizeDomain,
} from '@toolgate/contract/organizations/sso-rules.ts';
import { type Role, roles } from '@toolgate/contract/roles.ts';
import type { OrganizationSso, OrganizationSsoInput } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { required } from '../../ui/forms/schemas.ts';

const role = z.enum(roles);

/** For the select: nobody without a group may sign in. */
export const REFUSED = '';

const lines = (text: string) => text.split(/[\s,]+/).filter((line) => line !== '');

/** As they are stored. What is no domain is left out: the form says so. */
const domainsIn = (text: string) => lines(text).flatMap((line) => normalizeDomain(line) ?? []);

export const ssoSchema = z.object({
  issuer: required('Enter the issuer'),
  client_id: required('Enter the client ID'),
  client_secret: z.string(),
  domains: z.string().check(
    z.refine((text) => lines(text).length > 0, 'Enter a domain'),
    z.refine((text) => lines(text).length <= MAX_SSO_DOMAINS, `At most ${MAX_SSO_DOMAINS} domains`),
    z.refine(
      (text) => lines(text).length === domainsIn(text).length,
      'Enter domains such as example.com, one per line',
    ),
  ),
  role_claim: required('Enter the claim'),
  role_map: z
    .array(z.object({ group: required('Enter a group'), role }))
    .check(z.maxLength(MAX_ROLE_MAP_ENTRIES, `At most ${MAX_ROLE_MAP_ENTRIES} groups`)),
  default_role: z.union([role, z.literal(REFUSED)]),
  is_required: z.boolean(),
});

export type SsoValues = z.infer<typeof ssoSchema>;

export function toValues(saved: OrganizationSso | null): SsoValues {
  return {
    issuer: saved?.issuer ?? '',
    client_id: saved?.client_id ?? '',
    client_secret: '',
    domains: saved?.domains.join('\n') ?? '',
    role_claim: saved?.role_claim ?? 'groups',
    role_map: Object.entries(saved?.role_map ?? {}).map(([group, role]) => ({ group, role: role as Role })),
    default_role: saved?.default_role ?? REFUSED,
    is_required: saved?.is_required ?? false,
  };
}

/** An empty secret is not sent: the one that is stored stays. */
export function toInput({
  client_secret,
  domains,
  role_map,
  default_role,
  ...values
}: SsoValues): OrganizationSsoInput {
  return {
    ...values,
    ...(client_secret !== '' && { client_secret }),
    domains: domainsIn(domains),
    role_map: Object.fromEntries(role_map.map(({ group, role }) => [group, role])),
    default_role: default_role === REFUSED ? null : default_role,
  };
}

/** The records that prove the domains of the form. */
export const recordsOf = (domains: string, organizationId: string) =>
  domainsIn(domains).map((domain) => domainRecord(domain, organizationId));
