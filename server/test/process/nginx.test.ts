// Client certificates with a real nginx (ssl_verify_client on): calls pass with the right one, and a test of the certificate says what is
// wrong otherwise. nginx ends no handshake: it responds with 400 over TLS.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { clientAuthority, clientFields, companyAuthority, makeCertificate } from '../support/make/make-certificate.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeAuthority } from '../support/peers/certificates.ts';
import { makeScratchFolder } from '../support/scratch-folder.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const nginx = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);
const withoutNginx = nginx === undefined && 'nginx is not installed';
if (withoutNginx) {
  if (process.env.REQUIRE_NGINX === '1') throw new Error(withoutNginx);
  process.stderr.write(`\n!!! ${withoutNginx}: a test of client certificates is SKIPPED (apt-get install nginx)\n\n`);
}

async function startNginx(): Promise<number> {
  const folder = makeScratchFolder('toolgate-nginx-');
  const port = await freePort();
  const { key, cert } = companyAuthority.issue(['localhost']);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const settings = `
    daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
    http {
      access_log off;
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
      server {
        listen 127.0.0.1:${port} ssl;
        ssl_certificate ${file('host.pem', cert)}; ssl_certificate_key ${file('host.key', key)};
        ssl_client_certificate ${file('clients.pem', clientAuthority.certificate)}; ssl_verify_client on;
        default_type application/json;
        location / { return 200 '{"client":"$ssl_client_s_dn"}'; }
      }
    }`;
  const child = spawn(nginx as string, ['-p', folder, '-c', file('nginx.conf', settings)], { stdio: 'ignore' });
  after(async () => {
    child.kill('SIGQUIT');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(folder, { recursive: true });
  });
  await waitUntil(() => accepts(port), 10_000, 'nginx listens');
  return port;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

test('a call reaches an API behind nginx with its client certificate only', { skip: withoutNginx }, async () => {
  const port = await startNginx();
  const url = `https://127.0.0.1:${port}`;
  const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `127.0.0.1:${port}` });
  const tenant = await makeTenant(server);
  const key = tenant.keys.admin;
  const alpha = await makeCertificate(server, tenant.id, clientFields('alpha'));
  const without = await makeCertificate(server, tenant.id);
  const strange = makeAuthority('a stranger').issue(['stranger'], { for_client: true });
  const stranger = await makeCertificate(server, tenant.id, {
    client_certificate: strange.cert,
    client_key: strange.key,
  });
  const call = async (certificate_id: string | null) =>
    execute(server, key, (await makeTool(server, key, { url }, { certificate_id })).id);

  assert.deepEqual(expectResponse(await call(alpha.id), 200).body, { client: 'CN=alpha' });
  for (const { id } of [without, stranger])
    assert.equal(expectResponse(await call(id), 502).error.details.upstream_status, 400);

  const tested = async ({ id }: { id: string }) => {
    const path = `/projects/${tenant.id}/certificates/${id}/test`;
    const { status, problems } = expectResponse(await server.api('POST', path, { key, body: { url } }), 200);
    return [status, ...problems.map(({ code }: { code: string }) => code)];
  };
  assert.deepEqual(await tested(alpha), [200]);
  assert.deepEqual(await tested(without), [400, 'client_certificate_missing']);
  assert.deepEqual(await tested(stranger), [400, 'client_certificate_refused']);
});
