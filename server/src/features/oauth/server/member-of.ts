// Which member a person is who signed in at a provider: known by their subject at the issuer, or by their email address if the
// project or the provider wants that. The subject never changes hands and has its issuer's prefix; an address can be stated by any issuer, so it
// must have the form of one, and stays with the issuer that stated it first.

import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { findOrCreateMember, findOrCreateMemberOf } from '../../members/member-sessions/find-or-create-member.ts';
import { findIssuers } from '../providers/find.ts';
import { externalIdOf, knownBy, type Provider } from '../providers/provider.ts';
import type { UpstreamIdentity } from '../providers/sign-in.ts';

/** Returns the id of the member, the same for a browser and an ID-JAG. Call it in the transaction of the sign-in. */
export async function memberOf(
  app: App,
  project: Pick<Project, 'settings'>,
  provider: Provider,
  { subject, email }: Pick<UpstreamIdentity, 'subject' | 'email'>,
): Promise<string> {
  const { project_id, issuer, name } = provider;
  if (knownBy(project, provider) === 'subject')
    return findOrCreateMember(app, project_id, externalIdOf(provider, subject));
  if (email === null) {
    const remedy = `Verify your email address at ${name}, then sign in again.`;
    throw refuse.verifiedEmailRequired({ details: { remedy } });
  }
  if (!isEmailAddress(email)) {
    const remedy = `${name} returned an email address that cannot be used. Correct it there, then sign in again.`;
    throw refuse.verifiedEmailRequired({ details: { remedy, reason: 'email_not_an_address' } });
  }
  const issuers = await findIssuers(app, project_id);
  const member_id = await findOrCreateMemberOf(app, project_id, { external_id: email.toLowerCase(), issuer, issuers });
  if (member_id === null) throw refuse.memberOfOtherProvider();
  return member_id;
}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/**
 * A dot-atom and a domain name (RFC 5321 4.1.2), in ASCII. So it has no colon, as the ids `<provider>:<subject>` of other members
 * have, and its lower case is that of no other address: the Kelvin sign, for example, becomes the letter k.
 */
const ADDRESS = new RegExp(
  `^[a-z0-9!#$%&'*+/=?^_\`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_\`{|}~-]+)*@(?:${LABEL}\\.)+${LABEL}$`,
  'i',
);

export const isEmailAddress = (text: string) => text.length <= 254 && text.indexOf('@') <= 64 && ADDRESS.test(text);
