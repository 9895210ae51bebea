// POST /organization/sso/test: goes the whole way of a sign-in and reports each step. Nothing is saved but the report, for 10 minutes.

import type { SsoTestInput } from '@toolgate/contract/organizations/sso.ts';
import { type SsoTestStepName, ssoTestSteps } from '@toolgate/contract/organizations/sso-rules.ts';
import type { SsoTest, SsoTestStep } from '@toolgate/contract/organizations/sso-test.ts';
import type { AuthorizationServer } from 'oauth4webapi';
import { type AccountCaller, accountOf, type Caller, permitUser } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import type { TestedSso } from '../../../database/tables.ts';
import { ApiError, invalidField, refuse } from '../../../errors/errors.ts';
import type { SignInRequest } from '../../../openid/code-flow.ts';
import { ProviderError } from '../../../openid/provider-error.ts';
import { checkKeys } from '../../../openid/upstream.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { queueByNetwork } from '../accounts/queue-by-network.ts';
import { hasBreakGlass, lockBySubject } from '../accounts/store.ts';
import type { Visitor } from './browser.ts';
import { findUnproven, refuseUnproven } from './domains.ts';
import { type Identified, identify, type RunStep } from './identify.ts';
import { fetchFor, findServer, openSecret, secretContext } from './provider.ts';
import { insertRequest, type SsoRequest, saveSteps, selectTest } from './request-store.ts';
import { newDomains, resolveIssuer } from './settings.ts';
import { findPlace } from './sign-person-in.ts';
import { newState, sentRequest, urlAtProvider } from './start.ts';
import { selectOtherOwner, selectSso } from './store.ts';

/** Do not hold a database permit. */
export async function testSso(app: App, given: Caller, visitor: Visitor, input: SsoTestInput): Promise<SsoTest> {
  const caller = accountOf(given);
  const { organization_id } = caller;
  const id = newId('sst');
  const settings = await app.permits.run(permitUser(caller), () => toTested(app, { organization_id, id, input }));
  const { steps, run } = openReport(emptySteps());
  const server = await untilFailure(() => runFirstSteps(app, caller, settings, run));
  const { state, times } = newState(app);
  const sent = { id, organization_id, browser_hash: hashToken(visitor.secret), settings, ...times };
  for (const step of server ? steps : []) if (step.outcome === 'not_reached') step.outcome = 'waiting';
  await app.permits.run(permitUser(caller), () =>
    insertRequest(app.database, { ...sent, purpose: 'test', steps, state_hash: server ? hashToken(state) : null }),
  );
  const request = sentRequest(app, visitor, { organization_id, state });
  const provider = { organization_id, ...settings };
  const authorize_url = server ? (await urlAtProvider(server, provider, request, null)).href : null;
  return showTest({ id, steps, ...times }, authorize_url);
}

type Given = { organization_id: string; id: string; input: SsoTestInput };

/** The secret is sealed for the row of the test, and for this issuer only. */
async function toTested(app: App, { organization_id, id, input }: Given): Promise<TestedSso> {
  const saved = await selectSso(app.database, organization_id);
  if (!saved && Object.keys(input).length === 0) throw refuse.notFound();
  const { client_secret: given, default_role = saved?.default_role ?? null } = input;
  const { role_claim = saved?.role_claim ?? 'groups', role_map = saved?.role_map ?? {} } = input;
  const { is_required = saved?.is_required ?? false } = input;
  const issuer = resolveIssuer(app, required('issuer', input.issuer ?? saved?.issuer));
  const client_id = required('client_id', input.client_id ?? saved?.client_id);
  const domains = required('domains', input.domains ?? saved?.domains);
  const stored = saved?.issuer === issuer ? await openSecret(app, saved) : undefined;
  const secret = required('client_secret', given ?? stored);
  const context = secretContext({ organization_id, issuer, test_id: id });
  const client_secret = await app.secrets.seal(app.database, null, context, secret);
  return { issuer, client_id, client_secret, domains, role_claim, role_map, default_role, is_required };
}

function required<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw invalidField(field, 'is required');
  return value;
}

/** What can be checked without a person. */
async function runFirstSteps(
  app: App,
  caller: AccountCaller,
  settings: TestedSso,
  run: RunStep,
): Promise<AuthorizationServer> {
  const { organization_id } = caller;
  const provider = { organization_id, ...settings };
  const read = <T>(work: () => Promise<T>) => app.permits.run(permitUser(caller), work);
  await run(
    'break_glass',
    async () => {
      const has_owner = await read(() => hasBreakGlass(app.database, organization_id));
      if (settings.is_required && !has_owner) throw refuse.ssoBreakGlassMissing();
    },
    () => (settings.is_required ? null : 'Single sign-on is not required'),
  );
  await run(
    'domains',
    async () => {
      const saved = await read(() => selectSso(app.database, organization_id));
      const unproven = await findUnproven(app, caller, newDomains(settings, saved));
      if (unproven !== null) await refuseUnproven(app, caller, [unproven]);
      const taken = await read(() => selectOtherOwner(app.database, organization_id, settings.domains));
      if (taken !== null) throw refuse.ssoDomainTaken({ details: { field: 'domains', value: taken } });
    },
    () => settings.domains.join(', '),
  );
  const server = await run(
    'discovery',
    () => findServer(app, provider),
    ({ issuer }) => issuer,
  );
  await run(
    'keys',
    () => checkKeys(server, fetchFor(app, provider)),
    () => server.jwks_uri ?? null,
  );
  return server;
}

/** After the sign-in in the browser. */
export async function finishTest(
  app: App,
  visitor: Visitor,
  request: SsoRequest,
  response: { callback: URLSearchParams; request: SignInRequest },
): Promise<SsoTest> {
  const { id, organization_id, settings } = request;
  if (!settings) throw refuse.ssoExpired();
  const provider = { organization_id, ...settings, test_id: id };
  const secret = await queueByNetwork(app, visitor, () => openSecret(app, provider));
  const { steps, run } = openReport(request.steps ?? emptySteps());
  await untilFailure(async () => {
    const identity = await identify(app, provider, { ...response, secret }, run);
    await run(
      'role',
      () => {
        if (identity.role === null) throw refuse.ssoNoRole();
      },
      () => identity.role,
    );
    await run(
      'account',
      () => queueByNetwork(app, visitor, () => describeAccount(app, organization_id, identity)),
      (found) => found,
    );
  });
  for (const step of steps) if (step.outcome === 'waiting') step.outcome = 'not_reached';
  await queueByNetwork(app, visitor, () => saveSteps(app.database, request, steps));
  return showTest({ ...request, steps }, null);
}

async function describeAccount(app: App, organization_id: string, identity: Identified): Promise<string> {
  const existing = await lockBySubject(app.database, organization_id, identity);
  if (existing) return `The account ${existing.id} would sign in`;
  const place = await findPlace(app, organization_id, identity.email);
  if (place.kind === 'link') throw refuse.ssoLinkRequired();
  if (place.kind === 'taken') throw refuse.ssoEmailTaken();
  return `An account for ${identity.email} would be created`;
}

export async function readTest(app: App, caller: Caller, id: string): Promise<SsoTest> {
  const { organization_id } = accountOf(caller);
  const now = new Date(app.now()).toISOString();
  const request = await selectTest(app.database, { organization_id, id, now });
  if (!request) throw refuse.notFound();
  return showTest({ ...request, steps: request.steps ?? [] }, null);
}

const emptySteps = (): SsoTestStep[] =>
  ssoTestSteps.map((step) => ({ step, outcome: 'not_reached', found: null, reason: null, remedy: null }));

/** Thrown after the failure of a step was written to the report. */
class StepFailed extends Error {}

/** Returns null if a step failed. */
async function untilFailure<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StepFailed) return null;
    throw error;
  }
}

function openReport(steps: SsoTestStep[]): { steps: SsoTestStep[]; run: RunStep } {
  const set = (name: SsoTestStepName, change: Partial<SsoTestStep>) =>
    Object.assign(steps.find(({ step }) => step === name) as SsoTestStep, change);
  const run: RunStep = async (name, work, found = () => null) => {
    try {
      const value = await work();
      set(name, { outcome: 'passed', found: found(value) });
      return value;
    } catch (error) {
      const problem = describeProblem(error);
      if (!problem) throw error;
      set(name, { outcome: 'failed', ...problem });
      throw new StepFailed(name);
    }
  };
  return { steps, run };
}

function describeProblem(error: unknown): { reason: string; remedy: string } | null {
  if (error instanceof ApiError && error.status < 500) {
    const { problems } = error.details;
    return { reason: problems?.[0]?.message ?? error.message, remedy: error.remedy };
  }
  if (!(error instanceof ProviderError)) return null;
  return { reason: error.message, remedy: remedyFor(error) };
}

function remedyFor({ kind, error_code }: ProviderError): string {
  if (kind === 'unreachable') return 'Check the issuer, and that this server can reach it.';
  if (error_code === 'invalid_client' || error_code === 'unauthorized_client')
    return 'Check client_id and client_secret at the identity provider.';
  if (kind === 'refused') return 'Check the client at the identity provider: its redirect URI, and who can use it.';
  return "Check the issuer and the client's settings at the identity provider.";
}

type Shown = Pick<SsoTest, 'id' | 'steps' | 'created_at' | 'expires_at'>;

function showTest({ id, steps, created_at, expires_at }: Shown, authorize_url: string | null): SsoTest {
  const outcomes = steps.map(({ outcome }) => outcome);
  const is_over = outcomes.every((outcome) => outcome === 'passed');
  const status = outcomes.includes('failed') ? 'failed' : is_over ? 'passed' : 'waiting';
  return { id, object: 'sso_test', status, steps, authorize_url, created_at, expires_at };
}
