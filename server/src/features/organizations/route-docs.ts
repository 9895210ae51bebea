// The texts of the API reference for these routes.

import { routeDocs } from '../../api/route-docs.ts';

export const docs = routeDocs({
  getOrganization: {
    summary: 'Read my organization',
    description: 'The organization of the person who is signed in. For every role.',
  },
  updateOrganization: {
    summary: 'Rename my organization',
    description: 'Changes what the people of the organization see. Projects and keys stay as they are.',
  },
  deleteOrganization: {
    summary: 'Delete my organization',
    description:
      'For an owner, with the password. All accounts of the organization are deleted and signed out. Its projects must be deleted before (409). The first organization cannot be deleted: the projects of the root key belong to it. The audit log is kept.',
  },
  listInvitations: {
    summary: 'List the open invitations, newest first',
    description: 'Invitations that nobody has accepted yet, the expired ones included.',
  },
  createInvitation: {
    summary: 'Invite a person by a link',
    description:
      'Answers with a link, shown once, to pass on to the person; the server sends no email. It is valid for 7 days, works once, and ends when you lose the right to invite. Only an owner invites an owner. An address that is in the organization, or invited already, is refused with 409.',
  },
  resendInvitation: {
    summary: 'Make a new link for an invitation',
    description: 'Answers with a new link for 7 more days. The link before no longer works.',
  },
  deleteInvitation: {
    summary: 'Delete an invitation',
    description: 'Its link no longer works.',
  },
  inspectInvitation: {
    summary: 'Read the invitation of a link',
    description:
      'For the page that the link opens: which organization invites whom. A token that is unknown, expired or was used is refused with 410.',
  },
  acceptInvitation: {
    summary: 'Accept an invitation',
    description:
      'Creates the account with the invited email address and role, and signs the person in with a cookie. The link works once. An address that has an account is refused with 409.',
  },
});
