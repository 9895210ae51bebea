// /upload/{link}: a person opens the link of a call that needs a file, signs in if the member can, and uploads it. To look at the page
// uses nothing up.

import { hash } from 'node:crypto';
import { MAX_FILE_BYTES } from '@toolgate/contract/files/rules.ts';
import type { FastifyRequest } from 'fastify';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { readForm } from '../../../engines/multipart/read-form.ts';
import { ApiError, refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import type { Page } from '../../../pages/page.ts';
import { sameBytes } from '../../../secrets/tokens.ts';
import { announcedSize, bodyOf } from '../../files/files/receive-file.ts';
import { storeUpload } from '../../files/uploads/store-upload.ts';
import { readUploadTicket, type UploadTicketRow } from '../../files/uploads/ticket.ts';
import { findMember } from '../../members/member-sessions/find.ts';
import type { Visitor } from '../../oauth/server/browser.ts';
import { identifyingProviders, startIdentify } from '../../oauth/server/identify.ts';
import { isProven } from '../../oauth/server/member-proof.ts';
import { type Outcome, showPage } from '../../oauth/server/outcome.ts';
import { findProject } from '../../projects/projects/find.ts';
import { signInToUpload, uploadedPage, uploadPage } from './upload-page.ts';

/** What the form has beside the file, at most. */
const FORM_BYTES = 16 * 1024;

type Opened = { project: Project; ticket: UploadTicketRow; link: string; external_id: string | null };

export async function showUploadPage(app: App, visitor: Visitor, link: string): Promise<Outcome> {
  const opened = await openLink(app, visitor, link);
  const { ticket, project } = opened;
  if (!(await mayUpload(app, visitor, ticket)))
    return showPage(signInToUpload(project, link, await providersOf(app, opened)));
  return showPage(ticket.used_at === null ? formPage(visitor, opened) : uploadedPage(null));
}

export async function signInForUpload(
  app: App,
  visitor: Visitor,
  link: string,
  provider_id: string | undefined,
): Promise<Outcome> {
  const opened = await openLink(app, visitor, link);
  const { member_id, project_id } = opened.ticket;
  const provider = (await providersOf(app, opened)).find(({ id }) => id === provider_id);
  if (!provider || member_id === null || visitor.browser === '') throw refuse.signInExpired();
  return startIdentify(app, visitor, provider, {
    project_id,
    member_id,
    provider_id: provider.id,
    next: `/upload/${link}`,
  });
}

/** The form with the file. What the person can correct is said on the form itself. */
export async function receiveUpload(
  app: App,
  visitor: Visitor,
  link: string,
  request: FastifyRequest,
): Promise<Outcome> {
  const { body, drain } = bodyOf(request.raw);
  try {
    const opened = await openLink(app, visitor, link);
    const { ticket } = opened;
    if (!(await mayUpload(app, visitor, ticket))) throw refuse.signInExpired();
    if (ticket.used_at !== null) return showPage(uploadedPage(null));
    try {
      return showPage(uploadedPage(await storeFormFile(app, visitor, ticket, request, body)));
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 413 && error.status !== 409 && error.status !== 422))
        throw error;
      return showPage(formPage(visitor, opened, error));
    }
  } finally {
    drain();
  }
}

async function storeFormFile(
  app: App,
  visitor: Visitor,
  ticket: UploadTicketRow,
  request: FastifyRequest,
  body: AsyncGenerator<Uint8Array>,
) {
  const size = Math.max(0, (announcedSize(request) ?? 0) - FORM_BYTES);
  if (size > MAX_FILE_BYTES) throw refuse.bodyTooLarge({ details: { limit_bytes: MAX_FILE_BYTES } });
  const { fields, file } = await readForm(body, request.headers['content-type'] ?? '').catch(refuseForm);
  // A page of another site cannot know the confirmation. Without a sign-in it could do no more than whoever has the link.
  const given = Buffer.from(fields.get('confirmation') ?? '');
  const isTheirs = sameBytes(given, Buffer.from(confirmationFor(visitor, ticket)));
  if (ticket.needs_sign_in && !isTheirs) throw refuse.signInExpired();
  if (!file || file.name === '') throw refuse.validation({ details: { field: 'file' } });
  try {
    return await storeUpload(app, ticket, { ...file, size });
  } catch (error) {
    return refuseForm(error);
  }
}

function refuseForm(error: unknown): never {
  throw error instanceof SyntaxError ? refuse.malformedRequest() : error;
}

function formPage(visitor: Visitor, opened: Opened, error: ApiError | null = null): Page {
  const problem = error && { status: error.status, text: textOf(error) };
  return uploadPage(opened, confirmationFor(visitor, opened.ticket), problem);
}

function textOf({ status, message, remedy }: ApiError): string {
  if (status === 413) return `This file is too large: at most ${MAX_FILE_BYTES / 1e6} MB.`;
  return status === 422 ? 'Choose a file first.' : `${message}. ${remedy}`;
}

const confirmationFor = ({ browser }: Visitor, { file_id }: UploadTicketRow) =>
  hash('sha256', `upload ${browser} ${file_id}`, 'base64url');

/** A member who signs in by OAuth does that first. The link of others is all that they have. */
async function mayUpload(app: App, visitor: Visitor, ticket: UploadTicketRow): Promise<boolean> {
  const { needs_sign_in, member_id, project_id } = ticket;
  return !needs_sign_in || (member_id !== null && isProven(app, visitor, { project_id, member_id }));
}

async function openLink(app: App, visitor: Visitor, link: string): Promise<Opened> {
  return app.lookups.run(clientNetwork(visitor.ip), async () => {
    const ticket = await readUploadTicket(app, link);
    const project = ticket && (await findProject(app, ticket.project_id));
    if (!ticket || !project) throw refuse.notFound();
    const member = ticket.member_id === null ? null : await findMember(app, project.id, ticket.member_id);
    return { ticket, project, link, external_id: member?.external_id ?? null };
  });
}

async function providersOf(app: App, { project, external_id }: Opened) {
  return external_id === null ? [] : identifyingProviders(app, project, external_id);
}
