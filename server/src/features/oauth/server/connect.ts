// GET and POST /oauth/connect: a member opens a connect link, proves who they are, and signs in at the provider. The callback then
// stores the provider's tokens as the member's connection. A link alone connects nobody: who opens it signs in as that member, at this
// provider or at another one first, unless the customer's backend vouched for them.

import { hash } from 'node:crypto';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { type ApiError, refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import { sameBytes } from '../../../secrets/tokens.ts';
import { findMember } from '../../members/member-sessions/find.ts';
import { findProject } from '../../projects/projects/find.ts';
import { type ConnectLink, connectState, readConnectLink, readConnectState } from '../connections/connect-link.ts';
import { connectPageUrl } from '../connections/connect-page-url.ts';
import { saveConnection } from '../connections/save.ts';
import { isJwtUsed, useJwtOnce } from '../keys/used-jwt.ts';
import { IssuerNotApproved, pinText } from '../providers/pinned-issuer.ts';
import { type Provider, projectOfProvider } from '../providers/provider.ts';
import { isOfServer } from '../providers/server-provider.ts';
import { finishSignIn, startAtServer, startSignIn } from '../providers/sign-in.ts';
import type { Visitor } from './browser.ts';
import { sentRequest } from './go-to-provider.ts';
import { identifyingProviders, startIdentify } from './identify.ts';
import { memberOf } from './member-of.ts';
import { isProven } from './member-proof.ts';
import { type Outcome, redirectTo, showPage } from './outcome.ts';
import { connectedPage, connectPage, identifyPage } from './pages/connect-page.ts';
import { readParameters } from './parameters.ts';

export async function showConnect(app: App, visitor: Visitor, link_token: string): Promise<Outcome> {
  const opened = await openLink(app, visitor, () => readConnectLink(app, link_token));
  const { names, link } = opened;
  if (link.once !== null && (await wasUsed(app, link))) throw refuse.connectLinkInvalid();
  const first = await signInsBefore(app, visitor, opened);
  if (first?.length === 0) return withoutSignIn(opened);
  if (first) return showPage(identifyPage({ ...names, providers: first, link: link_token }));
  return showPage(connectPage({ ...names, link: link_token, confirmation: confirmationFor(visitor, link_token) }));
}

/** A page of another site cannot know the confirmation, so nobody is made to connect an account to somebody else's link. */
export async function confirmConnect(app: App, visitor: Visitor, form: string): Promise<Outcome> {
  const parameters = readParameters(form);
  const link_token = parameters.get('link') ?? '';
  if (parameters.has('provider')) return identifyFirst(app, visitor, link_token, parameters.get('provider') ?? '');
  const given = Buffer.from(parameters.get('confirmation') ?? '');
  if (visitor.browser === '' || !sameBytes(given, Buffer.from(confirmationFor(visitor, link_token))))
    throw refuse.connectLinkInvalid();
  const opened = await openLink(app, visitor, () => readConnectLink(app, link_token));
  const { link } = opened;
  const { provider } = link;
  if ((await signInsBefore(app, visitor, opened)) !== null) throw refuse.connectLinkInvalid();
  const requestFor = async (provider: Provider) => {
    const state = await connectState(app, { ...link, provider }, link_token, visitor.browser);
    return sentRequest(app, visitor, provider, state);
  };
  return atProvider(link, async () => {
    const { href } = isOfServer(provider)
      ? await startAtServer(app, provider, requestFor)
      : await startSignIn(app, provider, await requestFor(provider), { prompt: 'consent' });
    // Not before: a provider that does not respond must not cost the address.
    if (link.once !== null && !(await useOnce(app, link, link.once))) throw refuse.connectLinkInvalid();
    return redirectTo(href);
  });
}

export async function finishConnect(app: App, visitor: Visitor, provider_id: string, query: string): Promise<Outcome> {
  const callback = new URLSearchParams(query);
  const state = callback.get('state') ?? '';
  const opened = await openLink(app, visitor, () => readConnectState(app, state, visitor.browser));
  const { link, names, project } = opened;
  const { provider, project_id, member_id, created_at: not_saved_since } = link;
  if (provider.id !== provider_id) throw refuse.connectLinkInvalid();
  return atProvider(link, async () => {
    const identity = await finishSignIn(app, provider, callback, sentRequest(app, visitor, provider, state));
    const { tokens } = identity;
    const isKnown = link.once !== null || (await isProven(app, visitor, link));
    // The authorization server of an MCP server does not say who somebody is.
    if (!isKnown && isOfServer(provider)) throw refuse.connectLinkInvalid();
    if (!isKnown)
      await app.permits.run(project, () =>
        transact(app, async (app) => {
          if ((await memberOf(app, project, provider, identity)) !== member_id) throw refuse.otherMember();
        }),
      );
    await app.permits.run(projectOfProvider(provider), () =>
      saveConnection(app, {
        ...{ project_id, provider_id, member_id, tokens, not_saved_since },
        ...(isOfServer(provider) && { pin: pinText(provider) }),
      }),
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
    return { link, names, project };
  });
}

type Opened = Awaited<ReturnType<typeof openLink>>;

/** Where the visitor has to sign in before they may connect an account. Null: they may. Empty: they sign in nowhere. */
async function signInsBefore(app: App, visitor: Visitor, { link, project, names }: Opened): Promise<Provider[] | null> {
  if (link.once !== null || (await isProven(app, visitor, link))) return null;
  const providers = await identifyingProviders(app, project, names.external_id);
  // Signing in at the provider of the link says who they are, too.
  return providers.some(({ id }) => id === link.provider.id) ? null : providers;
}

async function identifyFirst(app: App, visitor: Visitor, link_token: string, provider_id: string): Promise<Outcome> {
  const opened = await openLink(app, visitor, () => readConnectLink(app, link_token));
  const { project_id, member_id } = opened.link;
  const provider = (await signInsBefore(app, visitor, opened))?.find(({ id }) => id === provider_id);
  if (!provider || visitor.browser === '') throw refuse.connectLinkInvalid();
  const next = `/api/v1/oauth/connect/${link_token}`;
  return startIdentify(app, visitor, provider, { project_id, member_id, provider_id, next });
}

/** The customer identifies this member: their app has a page for it, or nobody can connect an account by a link. */
function withoutSignIn({ link, project }: Opened): Outcome {
  const url = connectPageUrl(project.settings, link);
  if (url === null) throw refuse.connectLinkInvalid();
  return redirectTo(url);
}

const ONCE_ISSUER = 'toolgate connect address';

const usedOnce = ({ project_id, created_at }: ConnectLink, jti: string) => ({
  project_id,
  issuer: ONCE_ISSUER,
  jti,
  expires_at_ms: created_at + 3_600_000,
});

const useOnce = (app: App, link: ConnectLink, once: string) =>
  app.permits.run(projectOfProvider(link.provider), () => useJwtOnce(app, usedOnce(link, once)));

const wasUsed = (app: App, link: ConnectLink) =>
  app.permits.run(projectOfProvider(link.provider), () => isJwtUsed(app, usedOnce(link, link.once ?? '')));

/** The link stays valid: it can be opened again. */
async function atProvider({ provider }: ConnectLink, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderError) throw refusalFor(error, provider.name);
    throw error;
  }
}

function refusalFor(error: ProviderError, name: string): ApiError {
  if (error instanceof IssuerNotApproved)
    return refuse.signInRefused({
      details: {
        reason: 'issuer_not_approved',
        remedy: `${name} uses an authorization server that is not approved. Ask an admin of this project to approve it, then open the link again.`,
      },
    });
  return error.kind === 'unreachable'
    ? refuse.signInProviderUnavailable({
        details: { remedy: `${name} does not respond. Open the link again in a moment.` },
      })
    : refuse.signInRefused({
        details: { remedy: `${name} returned a response that cannot be used. Open the link again.` },
      });
}
