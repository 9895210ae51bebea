// /organization: the organization and its invitations. /account/invitations: for the person who was invited.

import { z } from 'zod';
import { create, idempotencyHeaders } from '../../api/create.ts';
import { pageOf, pageQuery } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { noContent, publicResponses, responses, responsesToBody, responsesToCreate } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import { refuseOtherOrigin } from '../../api/same-origin.ts';
import type { App } from '../../app.ts';
import { currentAccountSchema, organizationSchema } from '../accounts/account.ts';
import { browserOf } from '../accounts/browser.ts';
import { queueByNetwork } from '../accounts/queue-by-network.ts';
import { endedCookie, sessionCookie } from '../accounts/session.ts';
import { passwordConfirmation } from '../accounts/totp-enrolment.ts';
import {
  acceptance,
  acceptInvitation,
  inspectInvitation,
  invitationPreview,
  invitationToken,
} from './accept-invitation.ts';
import { invitationInput, invitationSchema, newInvitationSchema } from './invitation.ts';
import { createInvitation, deleteInvitation, listInvitations, resendInvitation } from './invitations.ts';
import { deleteOrganization, organizationChange, readOrganization, updateOrganization } from './organization.ts';
import { docs } from './route-docs.ts';

const tags = ['Organization'];

export function organizationRoutes(server: Server, app: App): void {
  ownRoutes(server, app);
  invitationRoutes(server, app);
  acceptRoutes(server, app);
}

function ownRoutes(server: Server, app: App): void {
  const url = '/api/v1/organization';
  server.get(
    url,
    {
      config: { access: 'account' },
      schema: { ...docs.getOrganization, tags, response: responses({ 200: organizationSchema }) },
    },
    (request) => readOrganization(app, request.caller),
  );
  server.patch(
    url,
    {
      config: { access: 'account_admin' },
      schema: {
        ...docs.updateOrganization,
        tags,
        body: organizationChange,
        response: responsesToBody({ 200: organizationSchema }),
      },
    },
    (request) => updateOrganization(withRequestOrigin(app, request), request.caller, request.body),
  );
  server.delete(
    url,
    {
      config: { access: 'account_admin' },
      schema: {
        ...docs.deleteOrganization,
        tags,
        body: passwordConfirmation,
        response: responsesToBody({ 204: noContent }, 'passwordIncorrect', 'organizationInUse', 'signInDelayed'),
      },
    },
    async (request, reply) => {
      await deleteOrganization(withRequestOrigin(app, request), request.caller, request.body);
      return reply.code(204).header('set-cookie', endedCookie(app)).send();
    },
  );
}

const params = z.strictObject({ invitation_id: z.string().meta({ description: 'Id of the invitation' }) });

function invitationRoutes(server: Server, app: App): void {
  const url = '/api/v1/organization/invitations';
  const config = { access: 'account_admin' } as const;
  server.get(
    url,
    {
      config,
      schema: {
        ...docs.listInvitations,
        tags,
        querystring: pageQuery,
        response: responses({ 200: pageOf(invitationSchema) }, 'validation'),
      },
    },
    (request) => listInvitations(app, request.caller, request.query),
  );
  server.post(
    url,
    {
      config,
      schema: {
        ...docs.createInvitation,
        tags,
        headers: idempotencyHeaders,
        body: invitationInput,
        response: responsesToCreate({ 201: newInvitationSchema }, 'emailTaken', 'invitationExists', 'limitReached'),
      },
    },
    (request, reply) => create(app, request, reply, (app) => createInvitation(app, request.caller, request.body)),
  );
  server.post(
    `${url}/:invitation_id/resend`,
    {
      config,
      schema: {
        ...docs.resendInvitation,
        tags,
        params,
        response: responses({ 200: newInvitationSchema }),
      },
    },
    (request) => resendInvitation(withRequestOrigin(app, request), request.caller, request.params.invitation_id),
  );
  server.delete(
    `${url}/:invitation_id`,
    {
      config,
      schema: { ...docs.deleteInvitation, tags, params, response: responses({ 204: noContent }) },
    },
    async (request, reply) => {
      await deleteInvitation(withRequestOrigin(app, request), request.caller, request.params.invitation_id);
      return reply.code(204).send();
    },
  );
}

function acceptRoutes(server: Server, app: App): void {
  const url = '/api/v1/account/invitations';
  server.post(
    `${url}/inspect`,
    {
      config: { access: 'public' },
      schema: {
        ...docs.inspectInvitation,
        tags,
        body: invitationToken,
        response: publicResponses({ 200: invitationPreview }, 'originNotAllowed', 'validation', 'invitationInvalid'),
      },
    },
    (request) => {
      refuseOtherOrigin(app, request);
      return queueByNetwork(app, request, () => inspectInvitation(app, request.body.token));
    },
  );
  server.post(
    `${url}/accept`,
    {
      config: { access: 'public' },
      schema: {
        ...docs.acceptInvitation,
        tags,
        body: acceptance,
        response: publicResponses(
          { 201: currentAccountSchema },
          'originNotAllowed',
          'validation',
          'emailTaken',
          'limitReached',
          'invitationInvalid',
        ),
      },
    },
    async (request, reply) => {
      refuseOtherOrigin(app, request);
      const { account, token } = await acceptInvitation(
        withRequestOrigin(app, request),
        browserOf(app, request),
        request.body,
      );
      return reply.code(201).header('set-cookie', sessionCookie(app, token)).send(account);
    },
  );
}
