// A TCP proxy to the test database.

import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** `url` is that of the database through the proxy. The connection that receives notifications is marked. */
export type DatabaseProxy = TcpProxy & { url: string };

export async function startDatabaseProxy(database_url: string): Promise<DatabaseProxy> {
  const proxy = await startTcpProxy(readTarget(database_url), 'listen toolgate_changes');
  return { ...proxy, url: database_url.replace(/@[^/]*\//, `@127.0.0.1:${proxy.port}/`).replace(/\?.*/, '') };
}

function readTarget(database_url: string) {
  const { hostname, port, searchParams } = new URL(database_url.replace('@/', '@localhost/'));
  const folder = searchParams.get('host');
  if (folder?.startsWith('/')) return { path: `${folder}/.s.PGSQL.${searchParams.get('port') ?? 5432}` };
  return { host: hostname, port: Number(port || 5432) };
}
