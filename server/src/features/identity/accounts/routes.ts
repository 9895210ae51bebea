// Serves /account: set-up, sign-in and sign-out, one's own account with its sessions, and two-factor authentication.

import { accountRoutes } from '@toolgate/contract/accounts/routes.ts';
import type { FastifyReply } from 'fastify';
import { accountOf } from '../../../access/caller.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import { refuseOtherOrigin, requireSameOrigin } from '../../../api/same-origin.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { browserOf } from './browser.ts';
import { queueByNetwork } from './queue-by-network.ts';
import { reauthenticate } from './reauthenticate.ts';
import { endedCookie, sessionCookie } from './session.ts';
import { endOtherSessions, endSession, listSessions } from './sessions.ts';
import { setUp } from './setup.ts';
import { isSetupNeeded } from './setup-link.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { beginTotp, confirmTotp, disableTotp, renewRecoveryCodes } from './totp-enrolment.ts';
import { showOwn, updateAccount } from './update.ts';

export function serveAccounts(server: Server, app: App): void {
  implement(server, app, accountRoutes, {
    getSetup: async (app, { raw }) => {
      if (!(await queueByNetwork(app, raw, () => isSetupNeeded(app)))) throw refuse.notFound();
      return { object: 'setup' as const, needed: true as const };
    },
    setUp: async (app, { body, raw, reply }) => {
      refuseOtherOrigin(app, raw);
      const { result, token } = await setUp(app, browserOf(app, raw), body);
      setCookie(app, reply, token);
      return result;
    },
    signIn: async (app, { body, raw, reply }) => {
      refuseOtherOrigin(app, raw);
      const { account, token } = await signIn(app, browserOf(app, raw), body);
      setCookie(app, reply, token);
      return account;
    },
    signOut: async (app, { raw, reply }) => {
      const { session_token } = browserOf(app, raw);
      if (session_token !== null) requireSameOrigin(app, raw);
      await queueByNetwork(app, raw, () => signOut(app, session_token));
      reply.header('set-cookie', endedCookie(app));
    },
    reauthenticate: async (app, { caller, body, raw, reply }) => {
      const { result, token } = await reauthenticate(app, caller, browserOf(app, raw), body);
      setCookie(app, reply, token);
      return result;
    },
    getAccount: (app, { caller }) => showOwn(app, accountOf(caller).session_id),
    updateAccount: async (app, { caller, body, raw, reply }) => {
      const { account, token } = await updateAccount(app, caller, browserOf(app, raw), body);
      setCookie(app, reply, token);
      return account;
    },
    listAccountSessions: (app, { caller, query }) => listSessions(app, caller, query),
    endOtherAccountSessions: (app, { caller }) => endOtherSessions(app, caller),
    endAccountSession: async (app, { caller, params, reply }) => {
      await endSession(app, caller, params.session_id);
      if (params.session_id === accountOf(caller).session_id) reply.header('set-cookie', endedCookie(app));
    },
    beginTotp: (app, { caller }) => beginTotp(app, caller),
    confirmTotp: (app, { caller, body }) => confirmTotp(app, caller, body),
    renewRecoveryCodes: (app, { caller, body = {} }) => renewRecoveryCodes(app, caller, body),
    disableTotp: (app, { caller, body }) => disableTotp(app, caller, body),
  });
}

/** `token` is null if the session was not renewed. */
function setCookie(app: App, reply: FastifyReply, token: string | null): void {
  if (token !== null) reply.header('set-cookie', sessionCookie(app, token));
}
