// /organization/accounts: the people of an organization.

import { z } from 'zod';
import { accountOf } from '../../access/caller.ts';
import { pageOf, pageQuery } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { noContent, responses, responsesToBody } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { accountSchema } from './account.ts';
import { changeRole, listAccounts, readAccount, removeAccount, roleChange } from './people.ts';
import { docs } from './route-docs.ts';
import { endedCookie } from './session.ts';

const tags = ['Organization'];
const url = '/api/v1/organization/accounts';
const params = z.strictObject({ account_id: z.string().meta({ description: 'Id of the account' }) });

export function peopleRoutes(server: Server, app: App): void {
  server.get(
    url,
    {
      config: { access: 'account' },
      schema: {
        ...docs.listAccounts,
        tags,
        querystring: pageQuery,
        response: responses({ 200: pageOf(accountSchema) }, 'validation'),
      },
    },
    (request) => listAccounts(app, request.caller, request.query),
  );
  server.get(
    `${url}/:account_id`,
    {
      config: { access: 'account' },
      schema: {
        ...docs.getOrganizationAccount,
        tags,
        params,
        response: responses({ 200: accountSchema }),
      },
    },
    (request) => readAccount(app, request.caller, request.params.account_id),
  );
  server.patch(
    `${url}/:account_id`,
    {
      config: { access: 'account_admin' },
      schema: {
        ...docs.changeRole,
        tags,
        params,
        body: roleChange,
        response: responsesToBody({ 200: accountSchema }, 'lastOwner'),
      },
    },
    (request) => changeRole(withRequestOrigin(app, request), request.caller, request.params.account_id, request.body),
  );
  server.delete(
    `${url}/:account_id`,
    {
      config: { access: 'account' },
      schema: {
        ...docs.removeAccount,
        tags,
        params,
        response: responses({ 204: noContent }, 'lastOwner'),
      },
    },
    async (request, reply) => {
      const { account_id } = request.params;
      await removeAccount(withRequestOrigin(app, request), request.caller, account_id);
      if (account_id === accountOf(request.caller).account_id) reply.header('set-cookie', endedCookie(app));
      return reply.code(204).send();
    },
  );
}
