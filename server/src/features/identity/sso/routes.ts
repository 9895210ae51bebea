// Serves /organization/sso and /account/sso/link.

import { ssoRoutes } from '@toolgate/contract/organizations/sso-routes.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import { refuseOtherOrigin } from '../../../api/same-origin.ts';
import type { App } from '../../../app.ts';
import { browserOf } from '../accounts/browser.ts';
import { sessionCookie } from '../accounts/session.ts';
import { newSecret, readSecret, secretCookie } from './browser.ts';
import { linkSso } from './link.ts';
import { deleteSso, readSso, setSso } from './settings.ts';
import { SESSION_MS } from './sign-person-in.ts';
import { readTest, testSso } from './try-settings.ts';

export function serveSso(server: Server, app: App): void {
  implement(
    server,
    app,
    ssoRoutes,
    {
      getOrganizationSso: (app, { caller }) => readSso(app, caller),
      setOrganizationSso: (app, { caller, body }) => setSso(app, caller, body),
      deleteOrganizationSso: (app, { caller }) => deleteSso(app, caller),
      testOrganizationSso: (app, { caller, body = {}, raw, reply }) => {
        const secret = readSecret(app, raw.headers.cookie) ?? newSecret();
        reply.header('set-cookie', secretCookie(app, secret));
        return testSso(app, caller, { ...browserOf(app, raw), secret }, body);
      },
      getOrganizationSsoTest: (app, { caller, params }) => readTest(app, caller, params.sso_test_id),
      linkSso: async (app, { body, raw, reply }) => {
        refuseOtherOrigin(app, raw);
        const secret = readSecret(app, raw.headers.cookie) ?? '';
        const { account, token } = await linkSso(app, { ...browserOf(app, raw), secret }, body);
        reply.header('set-cookie', sessionCookie(app, token, SESSION_MS));
        return account;
      },
    },
    // They wait for the DNS and the identity provider, and take permits themselves.
    { setOrganizationSso: { database_permit: false }, testOrganizationSso: { database_permit: false } },
  );
}
