// POST …/certificates/{id}/test: what the host presented, and what was wrong in plain words.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { clientFields, companyAuthority, makeCertificate, mutualTls } from '../support/make/make-certificate.ts';
import { makeAuthority } from '../support/peers/certificates.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startServer } from '../support/servers/start-server.ts';

const intermediate = companyAuthority.issueAuthority('an intermediate');
const below = intermediate.issue(['localhost']);
const hosts = {
  good: await startCustomer({ tls: companyAuthority.issue(['localhost']) }),
  mutual: await startCustomer({ tls: mutualTls() }),
  // Before TLS 1.3 a host that gets no certificate ends the handshake.
  older: await startCustomer({ tls: { ...mutualTls(), maxVersion: 'TLSv1.2' } }),
  unknown: await startCustomer(),
  chainless: await startCustomer({ tls: below }),
  expired: await startCustomer({ tls: companyAuthority.issue(['localhost'], { to: Date.now() - 3_600_000 }) }),
  early: await startCustomer({ tls: companyAuthority.issue(['localhost'], { from: Date.now() + 3_600_000 }) }),
  elsewhere: await startCustomer({ tls: companyAuthority.issue(['api.example.com'], { has_address: false }) }),
  plain: await startCustomer({ is_plain: true }),
};
after(() => Promise.all(Object.values(hosts).map((each) => each.close())));
const closed = await freePort();
const server = await startServer({
  TOOLGATE_EGRESS_ALLOW: [...Object.values(hosts).map(({ address }) => address), `127.0.0.1:${closed}`].join(','),
});
const tenant = await makeTenant(server);
const ca = await makeCertificate(server, tenant.id);
const client = await makeCertificate(server, tenant.id, clientFields('alpha'));
const strange = makeAuthority('a stranger').issue(['stranger'], { for_client: true });
const stranger = await makeCertificate(server, tenant.id, {
  client_certificate: strange.cert,
  client_key: strange.key,
});

async function run(url: string, { id }: { id: string } = ca) {
  const path = `/projects/${tenant.id}/certificates/${id}/test`;
  const tested = expectResponse(await server.api('POST', path, { key: tenant.keys.admin, body: { url } }), 200);
  const codes = tested.problems.map(({ code }: { code: string }) => code);
  const words = tested.problems.map(({ message }: { message: string }) => message).join(' ');
  assert.equal(tested.is_successful, codes.length === 0);
  return { ...tested, codes, words };
}

test('a host that is verified responds, and its chain is shown', async () => {
  hosts.good.respond('/health', { status: 404 });
  const { codes, status, protocol, chain } = await run(`${hosts.good.url}/health?full=1`);
  assert.deepEqual([codes, status, protocol], [[], 404, 'TLSv1.3']);
  const [own] = chain;
  assert.deepEqual([own.subject, own.issuer, chain.length], ['CN=localhost', 'CN=an authority of a company', 1]);
  assert.deepEqual(own.names, ['127.0.0.1', 'localhost']);
  assert.match(own.fingerprint_sha256, /^[0-9a-f]{64}$/);
  const request = hosts.good.requests.at(-1);
  assert.deepEqual([request?.method, request?.query, request?.headers.authorization], ['GET', 'full=1', undefined]);
});

test('a host that requires a client certificate accepts the right one, and the words say what another one lacks', async () => {
  assert.deepEqual((await run(hosts.mutual.url, client)).codes, []);
  assert.equal(hosts.mutual.requests.at(-1)?.client, 'alpha');
  const without = await run(hosts.mutual.url);
  assert.deepEqual(without.codes, ['client_certificate_missing'], without.words);
  assert.match(without.words, /requires a client certificate/);
  assert.equal(without.chain.length, 1);
  const other = await run(hosts.mutual.url, stranger);
  assert.equal(other.is_successful, false);
  assert.match(other.words, /client certificate/);
  assert.deepEqual((await run(hosts.older.url, client)).codes, []);
  assert.match((await run(hosts.older.url)).words, /requires a client certificate/);
});

test('what is wrong with a chain is said in plain words, and nothing is sent to its host', async () => {
  for (const [name, code, words] of [
    [
      'unknown',
      'unable_to_verify',
      /Unable to verify: the host did not send the certificate of CN=toolgate test authority/,
    ],
    ['chainless', 'unable_to_verify', /did not send the certificate of CN=an intermediate/],
    ['expired', 'expired', /The host's certificate expired on \d{4}-\d\d-\d\d/],
    ['early', 'not_yet_valid', /is not valid yet: it is from/],
    ['elsewhere', 'wrong_host', /is not for 127\.0\.0\.1: it is for api\.example\.com/],
  ] as const) {
    const host = hosts[name];
    const tested = await run(host.url);
    assert.deepEqual(tested.codes, [code], `${name}: ${tested.words}`);
    assert.match(tested.words, words);
    assert.deepEqual([tested.status, tested.chain.length, host.requests.length], [null, 1, 0]);
  }
});

test('a host that is not reached, speaks no TLS or is not allowed is told apart', async () => {
  assert.deepEqual((await run(`https://127.0.0.1:${closed}`)).codes, ['connection']);
  const plain = await run(`https://${hosts.plain.address}`);
  assert.deepEqual(plain.codes, ['tls_failed'], plain.words);
  const path = `/projects/${tenant.id}/certificates/${ca.id}/test`;
  for (const url of [
    'https://10.0.0.1',
    'https://localhost',
    hosts.plain.url,
    'ftp://x',
    'https://user@api.example.com',
  ]) {
    const { error } = expectResponse(await server.api('POST', path, { key: tenant.keys.admin, body: { url } }), 422);
    assert.equal(error.details.field, 'url');
  }
});
