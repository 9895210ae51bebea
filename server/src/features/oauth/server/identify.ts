// A sign-in that only says who somebody is: a person proves in their browser that they are a member, at a provider where that member
// signs in. No session and no connection is made.

import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import { findProject } from '../../projects/projects/find.ts';
import { findEnabledProviders } from '../providers/find.ts';
import { knownBy, type Provider } from '../providers/provider.ts';
import { finishSignIn, startSignIn } from '../providers/sign-in.ts';
import type { Visitor } from './browser.ts';
import { sentRequest } from './go-to-provider.ts';
import { type Identify, identifyState, readIdentifyState } from './identify-state.ts';
import { memberOf } from './member-of.ts';
import { proofCookie } from './member-proof.ts';
import { type Outcome, redirectTo } from './outcome.ts';

/** The providers at which this member signs in. Empty: the customer identifies them by assertions. Do not hold a database permit. */
export async function identifyingProviders(app: App, project: Project, external_id: string): Promise<Provider[]> {
  const providers = await app.permits.run(project, () => findEnabledProviders(app, project.id));
  return providers.filter((provider) =>
    knownBy(project, provider) === 'subject'
      ? external_id.startsWith(`${provider.member_prefix}:`)
      : external_id.includes('@'),
  );
}

export async function startIdentify(app: App, visitor: Visitor, provider: Provider, to: Identify): Promise<Outcome> {
  const state = await identifyState(app, visitor, to);
  return atProvider(provider, async () =>
    redirectTo((await startSignIn(app, provider, sentRequest(app, visitor, provider, state))).href),
  );
}

/** GET /oauth/callback/{provider id}, for such a state. */
export async function finishIdentify(app: App, visitor: Visitor, provider_id: string, query: string): Promise<Outcome> {
  const callback = new URLSearchParams(query);
  const state = callback.get('state') ?? '';
  const { to, project, provider } = await app.lookups.run(clientNetwork(visitor.ip), async () => {
    const to = await readIdentifyState(app, visitor, state);
    const project = await findProject(app, to.project_id);
    const providers = project ? await findEnabledProviders(app, project.id) : [];
    return { to, project, provider: providers.find(({ id }) => id === provider_id && id === to.provider_id) };
  });
  if (!project || !provider) throw refuse.signInExpired();
  return atProvider(provider, async () => {
    const identity = await finishSignIn(app, provider, callback, sentRequest(app, visitor, provider, state));
    const member_id = await app.permits.run(project, () =>
      transact(app, (app) => memberOf(app, project, provider, identity)),
    );
    if (member_id !== to.member_id) throw refuse.otherMember();
    return redirectTo(`${app.config.public_url}${to.next}`, await proofCookie(app, visitor, to));
  });
}

async function atProvider({ name }: Provider, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw error.kind === 'unreachable'
      ? refuse.signInProviderUnavailable({
          details: { remedy: `${name} does not respond. Open the link again later.` },
        })
      : refuse.signInRefused({
          details: { remedy: `${name} returned a response that cannot be used. Open the link again.` },
        });
  }
}
