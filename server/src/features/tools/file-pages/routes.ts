// Serves /files/{id}/{name}: a file for everyone who has its link, and /upload/{link}: where a person uploads the file that a call needs.

import type { FastifyRequest } from 'fastify';
import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { openFileLink } from '../../files/files/link.ts';
import { sendFile } from '../../files/files/send-file.ts';
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
import { receiveUpload, showUploadPage, signInForUpload } from './visit.ts';

const schema = { hide: true };

export async function serveFilePages(server: Server, app: App): Promise<void> {
  await server.register(async (pages: Server) => {
    preparePages(pages, app);
    // The handler reads it while it arrives.
    pages.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined));
    pages.get('/files/:file_id/:name', { config: { access: 'public' }, schema }, async (request, reply) => {
      const { file_id } = request.params as { file_id: string };
      const { token } = request.query as { token?: unknown };
      const file = await app.lookups.run(clientNetwork(request.ip), () =>
        openFileLink(app, file_id, typeof token === 'string' ? token : ''),
      );
      if (!file) throw refuse.notFound();
      return sendFile(app, reply, file);
    });
    pages.get(
      '/upload/:link',
      { config: { access: 'public', begins_sign_in: true }, schema },
      async (request, reply) => {
        const browser = browserOf(app, request) ?? makeBrowser();
        reply.header('set-cookie', browserCookie(app.config.public_url, browser));
        const visitor = { ...visitorOf(app, request), browser };
        return send(reply, await showUploadPage(forVisitor(app, request), visitor, linkOf(request)));
      },
    );
    const config = { access: 'public', has_slow_body: true } as const;
    pages.post('/upload/:link', { config, schema }, async (request, reply) => {
      refuseOtherSites(app, request);
      const [visitor, visited] = [visitorOf(app, request), forVisitor(app, request)];
      const isForm = request.body !== undefined;
      const outcome = isForm
        ? await signInForUpload(visited, visitor, linkOf(request), readParameters(formOf(request)).get('provider'))
        : await receiveUpload(visited, visitor, linkOf(request), request);
      return send(reply, outcome);
    });
  });
}

const linkOf = ({ params }: FastifyRequest) => (params as { link: string }).link;
