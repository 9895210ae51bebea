// Serves /organization/accounts.

import { peopleRoutes } from '@toolgate/contract/accounts/people-routes.ts';
import { accountOf } from '../../../access/caller.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { changeRole, listAccounts, readAccount, removeAccount } from './people.ts';
import { endedCookie } from './session.ts';

export function servePeople(server: Server, app: App): void {
  implement(server, app, peopleRoutes, {
    listAccounts: (app, { caller, query }) => listAccounts(app, caller, query),
    getOrganizationAccount: (app, { caller, params }) => readAccount(app, caller, params.account_id),
    changeRole: (app, { caller, params, body }) => changeRole(app, caller, params.account_id, body),
    removeAccount: async (app, { caller, params, reply }) => {
      await removeAccount(app, caller, params.account_id);
      if (params.account_id === accountOf(caller).account_id) reply.header('set-cookie', endedCookie(app));
    },
  });
}
