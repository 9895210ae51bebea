// /account: set up the installation, sign in and out, and one's own account with its sessions.

import { z } from 'zod';
import { accountOf } from '../../access/caller.ts';
import { pageOf, pageQuery } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { noContent, publicResponses, responses, responsesToBody } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import { refuseOtherOrigin, requireSameOrigin } from '../../api/same-origin.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { currentAccountSchema, sessionSchema } from './account.ts';
import { browserOf } from './browser.ts';
import { queueByNetwork } from './queue-by-network.ts';
import { docs } from './route-docs.ts';
import { endedCookie, sessionCookie } from './session.ts';
import { endedSessions, endOtherSessions, endSession, listSessions } from './sessions.ts';
import { setUp, setupBody, setupResult } from './setup.ts';
import { isSetupNeeded } from './setup-link.ts';
import { signIn, signInBody } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { accountChange, showOwn, updateAccount } from './update.ts';

const tags = ['Accounts'];

const setupNeeded = z
  .strictObject({
    object: z.literal('setup'),
    needed: z.literal(true).meta({ description: 'There is no owner yet' }),
  })
  .meta({ id: 'SetupNeeded' });

export function accountRoutes(server: Server, app: App): void {
  setupRoutes(server, app);
  signInRoutes(server, app);
  ownRoutes(server, app);
  sessionRoutes(server, app);
}

function setupRoutes(server: Server, app: App): void {
  const url = '/api/v1/account/setup';
  server.get(
    url,
    {
      config: { access: 'public' },
      schema: { ...docs.getSetup, tags, response: publicResponses({ 200: setupNeeded }, 'notFound') },
    },
    async (request) => {
      if (!(await queueByNetwork(app, request, () => isSetupNeeded(app)))) throw refuse.notFound();
      return { object: 'setup' as const, needed: true as const };
    },
  );
  server.post(
    url,
    {
      config: { access: 'public' },
      schema: {
        ...docs.setUp,
        tags,
        body: setupBody,
        response: publicResponses(
          { 201: setupResult },
          'notFound',
          'originNotAllowed',
          'validation',
          'emailTaken',
          'setupLinkInvalid',
        ),
      },
    },
    async (request, reply) => {
      refuseOtherOrigin(app, request);
      const { result, token } = await setUp(withRequestOrigin(app, request), browserOf(app, request), request.body);
      return reply.code(201).header('set-cookie', sessionCookie(app, token)).send(result);
    },
  );
}

function signInRoutes(server: Server, app: App): void {
  server.post(
    '/api/v1/account/sign-in',
    {
      config: { access: 'public' },
      schema: {
        ...docs.signIn,
        tags,
        body: signInBody,
        response: publicResponses(
          { 200: currentAccountSchema },
          'signInFailed',
          'totpRequired',
          'totpInvalid',
          'originNotAllowed',
          'validation',
          'signInDelayed',
        ),
      },
    },
    async (request, reply) => {
      refuseOtherOrigin(app, request);
      const { account, token } = await signIn(withRequestOrigin(app, request), browserOf(app, request), request.body);
      return reply.header('set-cookie', sessionCookie(app, token)).send(account);
    },
  );
  server.post(
    '/api/v1/account/sign-out',
    {
      config: { access: 'public' },
      schema: { ...docs.signOut, tags, response: publicResponses({ 204: noContent }, 'originNotAllowed') },
    },
    async (request, reply) => {
      const { session_token } = browserOf(app, request);
      if (session_token !== null) requireSameOrigin(app, request);
      await signOut(withRequestOrigin(app, request), session_token);
      return reply.code(204).header('set-cookie', endedCookie(app)).send();
    },
  );
}

function ownRoutes(server: Server, app: App): void {
  server.get(
    '/api/v1/account',
    {
      config: { access: 'account' },
      schema: { ...docs.getAccount, tags, response: responses({ 200: currentAccountSchema }) },
    },
    (request) => showOwn(app, accountOf(request.caller).session_id),
  );
  server.patch(
    '/api/v1/account',
    {
      config: { access: 'account' },
      schema: {
        ...docs.updateAccount,
        tags,
        body: accountChange,
        response: responsesToBody({ 200: currentAccountSchema }, 'passwordIncorrect', 'emailTaken', 'signInDelayed'),
      },
    },
    async (request, reply) => {
      const { account, token } = await updateAccount(
        withRequestOrigin(app, request),
        request.caller,
        browserOf(app, request),
        request.body,
      );
      if (token !== null) reply.header('set-cookie', sessionCookie(app, token));
      return reply.send(account);
    },
  );
}

function sessionRoutes(server: Server, app: App): void {
  const url = '/api/v1/account/sessions';
  server.get(
    url,
    {
      config: { access: 'account' },
      schema: {
        ...docs.listAccountSessions,
        tags,
        querystring: pageQuery,
        response: responses({ 200: pageOf(sessionSchema) }, 'validation'),
      },
    },
    (request) => listSessions(app, request.caller, request.query),
  );
  server.post(
    `${url}/end-others`,
    {
      config: { access: 'account' },
      schema: {
        ...docs.endOtherAccountSessions,
        tags,
        response: responses({ 200: endedSessions }),
      },
    },
    (request) => endOtherSessions(withRequestOrigin(app, request), request.caller),
  );
  server.delete(
    `${url}/:session_id`,
    {
      config: { access: 'account' },
      schema: {
        ...docs.endAccountSession,
        tags,
        params: z.strictObject({ session_id: z.string().meta({ description: 'Id of the session' }) }),
        response: responses({ 204: noContent }),
      },
    },
    async (request, reply) => {
      const { session_id } = request.params;
      await endSession(withRequestOrigin(app, request), request.caller, session_id);
      if (session_id === accountOf(request.caller).session_id) reply.header('set-cookie', endedCookie(app));
      return reply.code(204).send();
    },
  );
}
