// How a provider is reached: with slots and connections of its own, and with its certificate.

import type { App } from '../../../app.ts';
import { type Fetch, guardedFetch } from '../../../openid/upstream.ts';
import type { Certificate } from '../../../outbound/messages.ts';
import { findCertificate } from '../../activity/certificates/find-certificate.ts';
import { type Provider, projectOfProvider } from './provider.ts';
import { isOfServer } from './server-provider.ts';

export const isolationOf = ({ fairness_key, id }: Pick<Provider, 'fairness_key' | 'id'>) => ({
  isolation_key: fairness_key,
  isolation_part: id,
});

/** Do not hold a database permit: it opens the key of the certificate with one of its own. */
export function fetchFrom(app: App, provider: Provider): Fetch {
  return async (url, options) => {
    const certificate = await certificateFor(app, provider, url);
    return guardedFetch(app.send, { ...isolationOf(provider), certificate })(url, options);
  };
}

/** Do not hold a database permit. */
export async function certificateFor(app: App, provider: Provider, url: string): Promise<Certificate | null> {
  const { project_id, certificate_id } = provider;
  if (certificate_id === null) return null;
  // That of an MCP server is for the server, which names the authorization server itself.
  if (isOfServer(provider) && new URL(url).origin !== new URL(provider.server_url).origin) return null;
  return app.permits.run(projectOfProvider(provider), () => findCertificate(app, project_id, certificate_id));
}
