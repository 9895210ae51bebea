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
    summary: 'Get my organization',
    description: 'The organization of the signed-in person. Every role can read it.',
    response: organization,
  },
  updateOrganization: {
    method: 'PATCH',
    path: '/organization',
    access: 'account_admin',
    tag,
    summary: 'Rename my organization',
    description: 'Changes the name that people in the organization see. Projects and keys stay unchanged.',
    body: organizationChange,
    response: organization,
  },
  deleteOrganization: {
    method: 'DELETE',
    path: '/organization',
    access: 'account_admin',
    tag,
    summary: 'Delete my organization',
    description:
      "Requires the password. Deletes all accounts of the organization and signs them out. Delete its projects first (409). The operator's organization cannot be deleted, because projects created with the root key belong to it. The audit log is kept.",
    body: passwordConfirmation,
    response: null,
    errors: ['passwordIncorrect', 'organizationInUse', 'ssoAccount', 'signInDelayed'],
  },
  listInvitations: {
    method: 'GET',
    path: '/organization/invitations',
    access: 'account_admin',
    tag,
    summary: 'List open invitations, newest first',
    description: 'Invitations that nobody has accepted yet, including expired ones.',
    query: pageQuery,
    response: pageOf(invitation),
  },
  createInvitation: {
    method: 'POST',
    path: '/organization/invitations',
    access: 'account_admin',
    tag,
    summary: 'Invite a person with a link',
    description:
      'Returns a link, shown only once, that you send to the person yourself; the server sends no email. It works once, for 7 days, as long as you are allowed to invite people. Only an owner can invite an owner, and must have signed in or called `POST /account/reauthenticate` in the last 10 minutes. An email address that is already in the organization or invited is refused with 409. While single sign-on is required, nobody can be invited (403).',
    body: invitationInput,
    response: newInvitation,
    status: 201,
    errors: ['reauthenticationRequired', 'emailTaken', 'invitationExists', 'ssoRequired', 'limitReached'],
    takes_idempotency_key: true,
  },
  resendInvitation: {
    method: 'POST',
    path: '/organization/invitations/:invitation_id/resend',
    access: 'account_admin',
    tag,
    summary: 'Create a new link for an invitation',
    description:
      'Returns a new link for 7 more days. The previous link stops working. If the invitation is for an owner, you must have signed in or called `POST /account/reauthenticate` in the last 10 minutes.',
    response: newInvitation,
    errors: ['reauthenticationRequired'],
  },
  deleteInvitation: {
    method: 'DELETE',
    path: '/organization/invitations/:invitation_id',
    access: 'account_admin',
    tag,
    summary: 'Delete an invitation',
    description: 'Its link stops working.',
    response: null,
  },
  inspectInvitation: {
    method: 'POST',
    path: '/account/invitations/inspect',
    access: 'public',
    tag,
    summary: "Get a link's invitation",
    description:
      'For the page that the link opens: which organization invites whom. A token that is unknown, expired or already used is refused with 410.',
    body: invitationToken,
    response: invitationPreview,
    errors: ['originNotAllowed', 'invitationInvalid'],
  },
  acceptInvitation: {
    method: 'POST',
    path: '/account/invitations/accept',
    access: 'public',
    tag,
    summary: 'Accept an invitation',
    description:
      'Creates the account with the invited email address and role, and signs the person in with a cookie. The link works once. An email address that already has an account is refused with 409. While the organization requires single sign-on, the request is refused with 403.',
    body: invitationAcceptance,
    response: currentAccount,
    status: 201,
    errors: ['originNotAllowed', 'emailTaken', 'ssoRequired', 'limitReached', 'tooManyEmails', 'invitationInvalid'],
  },
});

export const organizations = defineResource({
  chapters: { Organization: 'The people in an organization, and invitations' },
  routes: { ...organizationRoutes, ...ssoRoutes },
});
