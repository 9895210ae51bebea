// /approve/{id}: a member opens the link of a call that waits for them, signs in as that member, and decides. Holding the link is not
// enough: without the sign-in nothing is shown, and nothing can be decided.

import { hash } from 'node:crypto';
import { isId } from '@toolgate/contract/ids.ts';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { sameBytes } from '../../../secrets/tokens.ts';
import { findMember } from '../../members/member-sessions/find.ts';
import type { Visitor } from '../../oauth/server/browser.ts';
import { identifyingProviders, startIdentify } from '../../oauth/server/identify.ts';
import { isProven } from '../../oauth/server/member-proof.ts';
import { type Outcome, redirectTo, showPage } from '../../oauth/server/outcome.ts';
import { findProject } from '../../projects/projects/find.ts';
import { type ApprovalRow, decisionUrl, isDecidedByUser, openArguments } from './approval.ts';
import { saveDecision } from './decide.ts';
import { approverPage, decisionPage, outcomePage, signInFirst } from './page.ts';
import { lockApproval, selectLinkedApproval } from './store.ts';

type Opened = { project: Project; row: ApprovalRow; member_id: string };

export async function showApprovalPage(app: App, visitor: Visitor, id: string): Promise<Outcome> {
  const { project, row } = await openLink(app, visitor, id);
  const { member_id } = row;
  if (!isDecidedByUser(row) || member_id === null) return showPage(approverPage(project));
  const url = decisionUrl(app, project.settings, row);
  if (!url.startsWith(`${app.config.public_url}/approve/`)) return redirectTo(url);
  if (!(await isProven(app, visitor, { project_id: project.id, member_id })))
    return showPage(signInFirst(project, row, await providersOf(app, { project, row, member_id })));
  if (row.status !== 'pending') return showPage(outcomePage(row));
  const given = await app.permits.run(project, () => openArguments(app, row));
  return showPage(decisionPage(project, row, given, confirmationFor(visitor, row)));
}

/** The form of one of the two pages: where to sign in, or what was decided. */
export async function respondToApprovalPage(
  app: App,
  visitor: Visitor,
  id: string,
  form: ReadonlyMap<string, string>,
): Promise<Outcome> {
  const { project, row } = await openLink(app, visitor, id);
  const { member_id } = row;
  if (!isDecidedByUser(row) || member_id === null) return showPage(approverPage(project));
  const opened = { project, row, member_id };
  return form.has('provider')
    ? signIn(app, visitor, opened, form.get('provider') ?? '')
    : decideOnPage(app, visitor, opened, form);
}

async function signIn(app: App, visitor: Visitor, opened: Opened, provider_id: string): Promise<Outcome> {
  const { project, row, member_id } = opened;
  const provider = (await providersOf(app, opened)).find(({ id }) => id === provider_id);
  if (!provider || visitor.browser === '') throw refuse.signInExpired();
  const to = { project_id: project.id, member_id, provider_id, next: `/approve/${row.id}` };
  return startIdentify(app, visitor, provider, to);
}

async function decideOnPage(
  app: App,
  visitor: Visitor,
  { project, row: { id }, member_id }: Opened,
  form: ReadonlyMap<string, string>,
): Promise<Outcome> {
  const given = Buffer.from(form.get('confirmation') ?? '');
  const isTheirs = await isProven(app, visitor, { project_id: project.id, member_id });
  // A page of another site cannot know the confirmation.
  if (!isTheirs || !sameBytes(given, Buffer.from(confirmationFor(visitor, { id })))) throw refuse.signInExpired();
  const decision = form.get('decision');
  if (decision !== 'approve' && decision !== 'decline') throw refuse.signInExpired();
  const outcome = decision === 'approve' ? 'approved' : 'declined';
  const decided = await app.permits.run(project, () =>
    transact(app, async (app) => {
      const row = await lockApproval(app.database, project.id, id, app.now());
      if (!row) throw refuse.notFound();
      // Decided elsewhere meanwhile: the page says what became of it.
      if (row.status !== 'pending') return row;
      const actor = { kind: 'member' as const, member_id };
      return saveDecision(app, actor, project, row, { outcome, via: 'page', decided_by: member_id });
    }),
  );
  return showPage(outcomePage(decided));
}

const confirmationFor = ({ browser }: Visitor, { id }: Pick<ApprovalRow, 'id'>) =>
  hash('sha256', `approve ${browser} ${id}`, 'base64url');

async function openLink(app: App, visitor: Visitor, id: string): Promise<{ project: Project; row: ApprovalRow }> {
  return app.lookups.run(clientNetwork(visitor.ip), async () => {
    const row = isId('apr', id) ? await selectLinkedApproval(app.database, id, app.now()) : undefined;
    const project = row && (await findProject(app, row.project_id));
    if (!row || !project) throw refuse.notFound();
    return { row, project };
  });
}

async function providersOf(app: App, { project, member_id }: Opened) {
  const member = await app.permits.run(project, () => findMember(app, project.id, member_id));
  return member ? identifyingProviders(app, project, member.external_id) : [];
}
