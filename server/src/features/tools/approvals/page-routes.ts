// Serves /approve/{id}, for people without an account.

import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { browserCookie, makeBrowser } from '../../oauth/server/browser.ts';
import {
  browserOf,
  formOf,
  forVisitor,
  preparePages,
  refuseOtherSites,
  send,
  visitorOf,
} from '../../oauth/server/page-scope.ts';
import { readParameters } from '../../oauth/server/parameters.ts';
import { respondToApprovalPage, showApprovalPage } from './visit.ts';

export async function serveApprovalPages(server: Server, app: App): Promise<void> {
  await server.register(async (pages: Server) => {
    preparePages(pages, app);
    const schema = { hide: true };
    const first = { access: 'public', begins_sign_in: true } as const;
    pages.get('/approve/:approval_id', { config: first, schema }, async (request, reply) => {
      const browser = browserOf(app, request) ?? makeBrowser();
      reply.header('set-cookie', browserCookie(app.config.public_url, browser));
      const { approval_id } = request.params as { approval_id: string };
      return send(
        reply,
        await showApprovalPage(forVisitor(app, request), { ...visitorOf(app, request), browser }, approval_id),
      );
    });
    pages.post('/approve/:approval_id', { config: { access: 'public' }, schema }, async (request, reply) => {
      refuseOtherSites(app, request);
      const { approval_id } = request.params as { approval_id: string };
      const form = readParameters(formOf(request));
      const visitor = visitorOf(app, request);
      return send(reply, await respondToApprovalPage(forVisitor(app, request), visitor, approval_id, form));
    });
  });
}
