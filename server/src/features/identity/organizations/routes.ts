// Serves /organization with its invitations, and /account/invitations.

import { organizationRoutes } from '@toolgate/contract/organizations/routes.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import { refuseOtherOrigin } from '../../../api/same-origin.ts';
import type { App } from '../../../app.ts';
import { browserOf } from '../accounts/browser.ts';
import { queueByNetwork } from '../accounts/queue-by-network.ts';
import { endedCookie, sessionCookie } from '../accounts/session.ts';
import { acceptInvitation, inspectInvitation } from './accept-invitation.ts';
import { createInvitation, deleteInvitation, listInvitations, resendInvitation } from './invitations.ts';
import { deleteOrganization, readOrganization, updateOrganization } from './organization.ts';

export function serveOrganizations(server: Server, app: App): void {
  implement(server, app, organizationRoutes, {
    getOrganization: (app, { caller }) => readOrganization(app, caller),
    updateOrganization: (app, { caller, body }) => updateOrganization(app, caller, body),
    deleteOrganization: async (app, { caller, body, reply }) => {
      await deleteOrganization(app, caller, body);
      reply.header('set-cookie', endedCookie(app));
    },
    listInvitations: (app, { caller, query }) => listInvitations(app, caller, query),
    createInvitation: (app, { caller, body }) => createInvitation(app, caller, body),
    resendInvitation: (app, { caller, params }) => resendInvitation(app, caller, params.invitation_id),
    deleteInvitation: (app, { caller, params }) => deleteInvitation(app, caller, params.invitation_id),
    inspectInvitation: (app, { body, raw }) => {
      refuseOtherOrigin(app, raw);
      return queueByNetwork(app, raw, () => inspectInvitation(app, body.token));
    },
    acceptInvitation: async (app, { body, raw, reply }) => {
      refuseOtherOrigin(app, raw);
      const { account, token } = await acceptInvitation(app, browserOf(app, raw), body);
      reply.header('set-cookie', sessionCookie(app, token));
      return account;
    },
  });
}
