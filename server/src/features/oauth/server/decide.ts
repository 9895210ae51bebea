// POST /oauth/consent: the person approved the client, with the toolsets that are ticked, and chose a provider, or cancelled.

import { toolsetScope } from '@toolgate/contract/toolsets/rules.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { findScopeToolsetsOf } from '../../policies/toolsets/slugs.ts';
import { findProject } from '../../projects/projects/find.ts';
import { approveClient } from '../grants/approvals.ts';
import { findEnabledProviders, findProvider } from '../providers/find.ts';
import { projectOfProvider } from '../providers/provider.ts';
import { redirectWithError } from './authorize.ts';
import { browserHash, type Visitor } from './browser.ts';
import { goToProvider } from './go-to-provider.ts';
import { approvedClient, findQuestion, pageOf } from './open-request.ts';
import { type Outcome, showPage } from './outcome.ts';
import type { Preset } from './pages/toolset-choices.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { deleteRequest, type SignInRequest, selectByPage } from './request-store.ts';

export const EXPIRED =
  'You must complete a sign-in within 10 minutes, in one browser, with cookies enabled. Start again in the app.';

export async function decide(app: App, visitor: Visitor, form: string): Promise<Outcome> {
  const parameters = readParameters(form);
  const page_secret = parameters.get('request') ?? '';
  const now = new Date(app.now()).toISOString();
  const secrets = { page_hash: hashToken(page_secret), browser_hash: browserHash(visitor), now };
  const network = clientNetwork(visitor.ip);
  const request = await app.lookups.run(network, () => selectByPage(app.database, secrets));
  if (!request) throw refuse.signInExpired({ details: { remedy: EXPIRED } });
  if (parameters.get('decision') === 'deny') {
    await app.lookups.run(network, () => deleteRequest(app.database, request));
    return redirectWithError(app, request, refuse.oauthAccessDenied());
  }
  const { ticked, has_changed } = await readChoice(app, request, parameters, network);
  const preset = parameters.get('preset');
  if (has_changed || preset !== undefined)
    return askAgain(app, network, request, {
      page_secret,
      has_changed,
      preset: preset === 'read_only' ? preset : 'all',
    });
  const chosen = parameters.get('provider') ?? '';
  const provider = await app.lookups.run(network, () => findProvider(app, request.project_id, chosen));
  if (!provider?.is_enabled)
    throw refuse.signInExpired({
      details: { remedy: 'This provider is no longer available. Start again in the app.' },
    });
  await app.permits.run(projectOfProvider(provider), () => approveClient(app, approvedClient(request), ticked));
  return goToProvider(app, visitor, { request, page_secret, provider });
}

/**
 * The toolsets whose boxes are ticked, approved as they were when the page was made. `has_changed`: one of them cannot be granted any
 * more, so that the page has to be shown again.
 */
async function readChoice(
  app: App,
  request: SignInRequest,
  parameters: Parameters,
  network: string,
): Promise<{ ticked: Record<string, string> | null; has_changed: boolean }> {
  const { toolset_ids, project_id } = request;
  if (toolset_ids === null) return { ticked: null, has_changed: false };
  const chosen = [...parameters.keys()].filter((name) => name.startsWith(toolsetScope('')));
  const offered = (await findScopeToolsetsOf(app, project_id, network)).filter(({ id }) => toolset_ids.includes(id));
  const found = offered.filter(({ slug }) => chosen.includes(toolsetScope(slug)));
  const approved_at = new Date(shownAt(app, request, parameters.get('shown_at'))).toISOString();
  return {
    ticked: Object.fromEntries(found.map(({ id }) => [id, approved_at])),
    has_changed: found.length < chosen.length,
  };
}

/** Never later than now: what joins a toolset later is not approved. */
function shownAt(app: App, { created_at }: SignInRequest, given = ''): number {
  const shown_at = /^\d{13}$/.test(given) ? Number(given) : Date.parse(created_at);
  return Math.min(shown_at, app.now());
}

type Again = { page_secret: string; has_changed: boolean; preset: Preset };

async function askAgain(app: App, network: string, request: SignInRequest, again: Again): Promise<Outcome> {
  const project = await app.lookups.run(network, () => findProject(app, request.project_id));
  if (!project) throw refuse.signInExpired({ details: { remedy: EXPIRED } });
  return app.permits.run(project, async () => {
    const providers = await findEnabledProviders(app, project.id);
    const question = await findQuestion(app, request);
    return showPage(pageOf(request, { project, providers, question, ...again }));
  });
}
