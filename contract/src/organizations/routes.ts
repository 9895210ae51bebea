// /organization: the organization and its invitations. /account/invitations: for the person who was invited.

import { currentAccount } from '../accounts/account.ts';
import { passwordConfirmation } from '../accounts/password.ts';
import { pageOf, pageQuery } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import {
  invitation,
  invitationAcceptance,
  invitationInput,
  invitationPreview,
  invitationToken,
  newInvitation,
} from './invitation.ts';
import { organization, organizationChange } from './organization.ts';
import { ssoRoutes } from './sso-routes.ts';

const tag = 'Organization';

export const organizationRoutes = defineRoutes({
  getOrganization: {
    method: 'GET',
    path: '/organization',
    access: 'account',
    tag,
    summary: 'Read my organization',
    description: 'The organization of the person who is signed in. For every role.',
    answer: organization,
  },
  updateOrganization: {
    method: 'PATCH',
    path: '/organization',
    access: 'account_admin',
    tag,
    summary: 'Rename my organization',
    description: 'Changes what the people of the organization see. Projects and keys stay as they are.',
    body: organizationChange,
    answer: organization,
  },
  deleteOrganization: {
    method: 'DELETE',
    path: '/organization',
    access: 'account_admin',
    tag,
    summary: 'Delete my organization',
    description:
      'For an owner, with the password. All accounts of the organization are deleted and signed out. Its projects must be deleted before (409). The first organization cannot be deleted: the projects of the root key belong to it. The audit log is kept.',
    body: passwordConfirmation,
    answer: null,
    errors: ['passwordIncorrect', 'organizationInUse', 'ssoAccount', 'signInDelayed'],
  },
  listInvitations: {
    method: 'GET',
    path: '/organization/invitations',
    access: 'account_admin',
    tag,
    summary: 'List the open invitations, newest first',
    description: 'Invitations that nobody has accepted yet, the expired ones included.',
    query: pageQuery,
    answer: pageOf(invitation),
  },
  createInvitation: {
    method: 'POST',
    path: '/organization/invitations',
    access: 'account_admin',
    tag,
    summary: 'Invite a person by a link',
    description:
      'Returns a link, shown once, to pass on to the person; the server sends no email. It is valid for 7 days, works once, and ends when you lose the right to invite. Only an owner invites an owner, with a sign-in or `POST /account/reauthenticate` of the last 10 minutes. An address that is in the organization, or invited already, is refused with 409. While single sign-on is required nobody is invited (403).',
    body: invitationInput,
    answer: newInvitation,
    status: 201,
    errors: ['reauthenticationRequired', 'emailTaken', 'invitationExists', 'ssoRequired', 'limitReached'],
    takes_idempotency_key: true,
  },
  resendInvitation: {
    method: 'POST',
    path: '/organization/invitations/:invitation_id/resend',
    access: 'account_admin',
    tag,
    summary: 'Make a new link for an invitation',
    description:
      'Returns a new link for 7 more days. The link before no longer works. For an owner it needs a sign-in or `POST /account/reauthenticate` of the last 10 minutes.',
    answer: newInvitation,
    errors: ['reauthenticationRequired'],
  },
  deleteInvitation: {
    method: 'DELETE',
    path: '/organization/invitations/:invitation_id',
    access: 'account_admin',
    tag,
    summary: 'Delete an invitation',
    description: 'Its link no longer works.',
    answer: null,
  },
  inspectInvitation: {
    method: 'POST',
    path: '/account/invitations/inspect',
    access: 'public',
    tag,
    summary: 'Read the invitation of a link',
    description:
      'For the page that the link opens: which organization invites whom. A token that is unknown, expired or was used is refused with 410.',
    body: invitationToken,
    answer: invitationPreview,
    errors: ['originNotAllowed', 'invitationInvalid'],
  },
  acceptInvitation: {
    method: 'POST',
    path: '/account/invitations/accept',
    access: 'public',
    tag,
    summary: 'Accept an invitation',
    description:
      'Creates the account with the invited email address and role, and signs the person in with a cookie. The link works once. An address that has an account is refused with 409. While the organization requires single sign-on it is refused with 403.',
    body: invitationAcceptance,
    answer: currentAccount,
    status: 201,
    errors: ['originNotAllowed', 'emailTaken', 'ssoRequired', 'limitReached', 'tooManyEmails', 'invitationInvalid'],
  },
});

export const organizations = defineResource({
  chapters: { Organization: 'The people of an organization, and invitations' },
  routes: { ...organizationRoutes, ...ssoRoutes },
});
