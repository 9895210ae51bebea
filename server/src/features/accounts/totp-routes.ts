// /account/totp: two-factor authentication of one's own account.

import { withRequestOrigin } from '../../api/request-origin.ts';
import { noContent, responses, responsesToBody } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { docs } from './route-docs.ts';
import {
  beginTotp,
  confirmTotp,
  disableTotp,
  passwordConfirmation,
  pendingTotp,
  recoveryCodes,
  renewRecoveryCodes,
  totpConfirmation,
} from './totp-enrolment.ts';

const tags = ['Accounts'];
const url = '/api/v1/account/totp';

export function totpRoutes(server: Server, app: App): void {
  server.post(
    url,
    {
      config: { access: 'account' },
      schema: { ...docs.beginTotp, tags, response: responses({ 201: pendingTotp }, 'totpAlreadyOn') },
    },
    async (request, reply) => reply.code(201).send(await beginTotp(withRequestOrigin(app, request), request.caller)),
  );
  server.post(
    `${url}/confirm`,
    {
      config: { access: 'account' },
      schema: {
        ...docs.confirmTotp,
        tags,
        body: totpConfirmation,
        response: responsesToBody({ 200: recoveryCodes }, 'totpAlreadyOn', 'totpNotPending', 'signInDelayed'),
      },
    },
    (request) => confirmTotp(withRequestOrigin(app, request), request.caller, request.body),
  );
  server.post(
    `${url}/recovery-codes`,
    {
      config: { access: 'account' },
      schema: {
        ...docs.renewRecoveryCodes,
        tags,
        body: passwordConfirmation,
        response: responsesToBody({ 200: recoveryCodes }, 'passwordIncorrect', 'totpNotOn', 'signInDelayed'),
      },
    },
    (request) => renewRecoveryCodes(withRequestOrigin(app, request), request.caller, request.body),
  );
  server.delete(
    url,
    {
      config: { access: 'account' },
      schema: {
        ...docs.disableTotp,
        tags,
        body: passwordConfirmation,
        response: responsesToBody({ 204: noContent }, 'passwordIncorrect', 'totpNotOn', 'signInDelayed'),
      },
    },
    async (request, reply) => {
      await disableTotp(withRequestOrigin(app, request), request.caller, request.body);
      return reply.code(204).send();
    },
  );
}
