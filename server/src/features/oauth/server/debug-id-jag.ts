// POST /oauth-providers/{id}/debug-id-jag: reports how the token endpoint would verify an ID-JAG, check by check. It writes nothing.

import { isId } from '@toolgate/contract/ids.ts';
import type { IdJagReport, IdJagToDebug } from '@toolgate/contract/oauth-providers/id-jag.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { findClient } from '../clients/find.ts';
import { explainIdJag } from '../id-jag/explain-id-jag.ts';
import { findIssuerKeys, mayBeIssuer, trustProvider } from '../id-jag/id-jag-checks.ts';
import { scopeProblem } from '../id-jag/id-jag-scope.ts';
import { isJwtUsed } from '../keys/used-jwt.ts';
import { findProvider } from '../providers/find.ts';
import { isMetadataUrl } from './client-metadata.ts';
import { isResourceOf } from './resource.ts';

/** Do not hold a database permit: it waits for the issuer. */
export async function debugIdJag(
  app: App,
  caller: Caller,
  provider_id: string,
  { assertion }: IdJagToDebug,
): Promise<IdJagReport> {
  const project = projectOf(caller);
  const provider = await app.permits.run(project, () => findProvider(app, project.id, provider_id));
  if (!provider) throw refuse.notFound();
  return explainIdJag({
    token: assertion,
    audience: app.config.public_url,
    now: app.now(),
    findProvider: (iss) =>
      mayBeIssuer(provider, iss)
        ? trustProvider(app, project, provider, iss)
        : `iss is ${iss.slice(0, 200)}, not ${provider.issuer}.`,
    findKeys: (trusted, algorithm, kid) => findIssuerKeys(app, trusted, algorithm, kid),
    resourceProblem: (resource) =>
      resource === null || isResourceOf(app.config.public_url, project, resource)
        ? null
        : 'The resource is not an MCP endpoint of this project.',
    clientProblem: async (client_id) => {
      if (isMetadataUrl(client_id)) return null;
      const client = isId('oac', client_id) ? await app.permits.run(project, () => findClient(app, client_id)) : null;
      if (!client || client.project_id !== project.id) return 'The project has no client with this client_id.';
      return client.is_public ? 'The client is public: it cannot authenticate.' : null;
    },
    isUsed: (trusted, jti) =>
      app.permits.run(project, () => isJwtUsed(app, { project_id: project.id, issuer: trusted.issuer, jti })),
    scopeProblem: (trusted, scope) => scopeProblem(trusted, scope, null),
  });
}
