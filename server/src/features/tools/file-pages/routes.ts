// Serves /files/{id}/{name}: a file for everyone who has its link.

import type { Server } from '../../../api/route.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { openFileLink } from '../../files/files/link.ts';
import { sendFile } from '../../files/files/send-file.ts';
import { preparePages } from '../../oauth/server/page-scope.ts';

export async function serveFilePages(server: Server, app: App): Promise<void> {
  const schema = { hide: true };
  await server.register(async (pages: Server) => {
    preparePages(pages, app);
    pages.get('/files/:file_id/:name', { config: { access: 'public' }, schema }, async (request, reply) => {
      const { file_id } = request.params as { file_id: string };
      const { token } = request.query as { token?: unknown };
      const file = await app.lookups.run(clientNetwork(request.ip), () =>
        openFileLink(app, file_id, typeof token === 'string' ? token : ''),
      );
      if (!file) throw refuse.notFound();
      return sendFile(app, reply, file);
    });
  });
}
