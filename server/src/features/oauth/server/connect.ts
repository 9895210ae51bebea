// GET and POST /oauth/connect: a member opens a connect link, confirms who they are, and signs in at the provider. The callback then
// stores the provider's tokens as the member's connection. No client and no session are involved.

import { hash } from 'node:crypto';
import type { App } from '../../../app.ts';
import { type ApiError, refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import { sameBytes } from '../../../secrets/tokens.ts';
import { findMember } from '../../members/member-sessions/find-member.ts';
import { findProject } from '../../projects/projects/find.ts';
import { type ConnectLink, connectState, readConnectLink, readConnectState } from '../connections/connect-link.ts';
import { saveConnection } from '../connections/save.ts';
import { projectOfProvider } from '../providers/provider.ts';
import { finishSignIn, startSignIn } from '../providers/sign-in.ts';
import type { Visitor } from './browser.ts';
import { sentRequest } from './go-to-provider.ts';
import { type Outcome, redirectTo, showPage } from './outcome.ts';
import { connectedPage, connectPage } from './pages/connect-page.ts';
import { readParameters } from './parameters.ts';

export async function showConnect(app: App, visitor: Visitor, link_token: string): Promise<Outcome> {
  const { names } = await openLink(app, visitor, () => readConnectLink(app, link_token));
  return showPage(connectPage({ ...names, link: link_token, confirmation: confirmationFor(visitor, link_token) }));
}

/** A page of another site cannot know the confirmation, so nobody is made to connect an account to somebody else's link. */
export async function confirmConnect(app: App, visitor: Visitor, form: string): Promise<Outcome> {
  const parameters = readParameters(form);
  const link_token = parameters.get('link') ?? '';
  const given = Buffer.from(parameters.get('confirmation') ?? '');
  if (visitor.browser === '' || !sameBytes(given, Buffer.from(confirmationFor(visitor, link_token))))
    throw refuse.connectLinkInvalid();
  const { link } = await openLink(app, visitor, () => readConnectLink(app, link_token));
  const { provider } = link;
  const state = await connectState(app, link, link_token, visitor.browser);
  return atProvider(link, async () =>
    redirectTo(
      (await startSignIn(app, provider, sentRequest(app, visitor, provider, state), { prompt: 'consent' })).href,
    ),
  );
}

export async function finishConnect(app: App, visitor: Visitor, provider_id: string, query: string): Promise<Outcome> {
  const callback = new URLSearchParams(query);
  const state = callback.get('state') ?? '';
  const { link, names } = await openLink(app, visitor, () => readConnectState(app, state, visitor.browser));
  const { provider, project_id, member_id, created_at: not_saved_since } = link;
  if (provider.id !== provider_id) throw refuse.connectLinkInvalid();
  return atProvider(link, async () => {
    const { tokens } = await finishSignIn(app, provider, callback, sentRequest(app, visitor, provider, state));
    await app.permits.run(projectOfProvider(provider), () =>
      saveConnection(app, { project_id, provider_id, member_id, tokens, not_saved_since }),
    );
    return showPage(connectedPage(names));
  });
}

const confirmationFor = ({ browser }: Visitor, link: string) =>
  hash('sha256', `connect ${browser} ${link}`, 'base64url');

async function openLink(app: App, visitor: Visitor, read: () => Promise<ConnectLink>) {
  return app.lookups.run(clientNetwork(visitor.ip), async () => {
    const link = await read();
    const [project, member] = [
      await findProject(app, link.project_id),
      await findMember(app, link.project_id, link.member_id),
    ];
    if (!project || !member) throw refuse.connectLinkInvalid();
    const names = {
      project_name: project.name,
      external_id: member.external_id,
      provider_name: link.provider.name,
    };
    return { link, names };
  });
}

/** The link stays valid: it can be opened again. */
async function atProvider({ provider }: ConnectLink, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderError) throw refusalFor(error, provider.name);
    throw error;
  }
}

function refusalFor({ kind }: ProviderError, name: string): ApiError {
  return kind === 'unreachable'
    ? refuse.signInProviderUnavailable({
        details: { remedy: `${name} does not respond. Open the link again in a moment.` },
      })
    : refuse.signInRefused({ details: { remedy: `${name} gave an answer that cannot be used. Open the link again.` } });
}
