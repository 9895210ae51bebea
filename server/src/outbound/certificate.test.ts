// Connections with a certificate: which authorities verify the host, who gets the client certificate, and what is shared.

import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { makeAuthority } from '../../test/support/peers/certificates.ts';
import { startEgressProxy } from '../../test/support/peers/egress-proxy.ts';
import { startCustomer, testAuthority } from '../../test/support/peers/fake-customer.ts';
import { parseAllowList } from './allow-list.ts';
import { toCertificate } from './certificate.ts';
import { type EgressProxy, type ProxyUrl, parseDirectHosts, parseProxyUrl } from './egress-proxy.ts';
import { type Certificate, SendError } from './messages.ts';
import { createSend, type Sender } from './send.ts';

const own = makeAuthority('an authority of a company');
const intermediate = own.issueAuthority('its intermediate');
const ofClients = makeAuthority('an authority for clients');
const ofHost = own.issue(['localhost']);
const below = intermediate.issue(['localhost']);

/** Requires a client certificate. */
const mutual = await startCustomer({
  tls: { ...ofHost, requestCert: true, rejectUnauthorized: true, ca: ofClients.certificate },
});
/** Asks for one, and accepts none. */
const curious = await startCustomer({
  tls: { ...ofHost, requestCert: true, rejectUnauthorized: false, ca: ofClients.certificate },
});
const chained = await startCustomer({ tls: { key: below.key, cert: below.cert + intermediate.certificate } });
const trusted = await startCustomer();
const stale = await startCustomer({ tls: own.issue(['localhost'], { to: Date.now() - 60_000 }) });
const elsewhere = await startCustomer({ tls: own.issue(['api.example.com'], { has_address: false }) });
const proxy = await startEgressProxy();
const peers = [mutual, curious, chained, trusted, stale, elsewhere, proxy];
after(() => Promise.all(peers.map((each) => each.close())));

const senders: Sender[] = [];
afterEach(async () => {
  for (const send of senders.splice(0)) await send.close();
});

const clientNamed = (name: string) => {
  const { key, cert } = ofClients.issue([name], { for_client: true });
  return { key, certificate: cert };
};
const withClient = (name: string) => toCertificate({ ca: own.certificate, client: clientNamed(name) });
const withoutClient = toCertificate({ ca: own.certificate, client: null });

function makeSend({ through_proxy = false } = {}) {
  const { allowed } = parseAllowList(peers.map(({ port }) => `127.0.0.1:${port}`).join(','));
  const { direct } = parseDirectHosts('');
  const through: EgressProxy = { ...(parseProxyUrl(proxy.url) as ProxyUrl), resolves_names: false, direct };
  const send = createSend({
    allow: allowed,
    ca: [testAuthority.certificate],
    proxy: through_proxy ? through : null,
  });
  senders.push(send);
  const get = ({ url }: { url: string }, certificate: Certificate | null = null, path = '/') =>
    send({
      origin: url,
      path,
      method: 'GET',
      headers: {},
      timeout_ms: 10_000,
      max_response_bytes: 10_000,
      isolation_key: 'p',
      certificate,
    });
  return { send, get };
}

const failsAs = (failure: string) => (error: unknown) =>
  error instanceof SendError && error.kind === 'connection' && error.failure === failure;

for (const through_proxy of [false, true]) {
  const how = through_proxy ? 'through the egress proxy' : 'directly';

  test(`the authorities of a certificate replace those of the system, for its connections only, ${how}`, async () => {
    const { get } = makeSend({ through_proxy });
    await assert.rejects(get(chained), failsAs('certificate_not_accepted'));
    assert.equal((await get(chained, withoutClient)).status, 200);
    assert.equal((await get(trusted)).status, 200);
    await assert.rejects(get(trusted, withoutClient), failsAs('certificate_not_accepted'));
    assert.equal((await get(trusted)).status, 200);
  });

  test(`a host that requires a client certificate gets it, and no other is accepted, ${how}`, async () => {
    const { get } = makeSend({ through_proxy });
    assert.equal((await get(mutual, withClient('alpha'))).status, 200);
    assert.equal(mutual.requests.at(-1)?.client, 'alpha');
    await assert.rejects(get(mutual, withoutClient), failsAs('client_certificate_refused'));
    const stranger = makeAuthority('a stranger').issue(['stranger'], { for_client: true });
    const other = { key: stranger.key, certificate: stranger.cert };
    await assert.rejects(get(mutual, toCertificate({ ca: own.certificate, client: other })), SendError);
  });

  test(`neither connections nor TLS sessions are shared between certificates, ${how}`, async () => {
    const { get } = makeSend({ through_proxy });
    const [alpha, beta] = [withClient('alpha'), withClient('beta')];
    const before = curious.counts.connections;
    const seen: (string | null | undefined)[] = [];
    for (const certificate of [alpha, beta, withoutClient, alpha, toCertificate({ ...alpha }), beta]) {
      await get(curious, certificate);
      seen.push(curious.requests.at(-1)?.client);
      assert.equal(curious.requests.at(-1)?.is_resumed, false);
    }
    assert.deepEqual(seen, ['alpha', 'beta', null, 'alpha', 'alpha', 'beta']);
    assert.equal(curious.counts.connections - before, 3);
  });
}

test('the next connection under the same certificate resumes its TLS session, and one under another does not', async () => {
  const { get } = makeSend();
  curious.respond('/closing', { headers: { connection: 'close' } });
  const [alpha, beta] = [withClient('alpha'), withClient('beta')];
  for (const [certificate, is_resumed] of [
    [alpha, false],
    [alpha, true],
    [beta, false],
    [alpha, true],
  ] as const) {
    await get(curious, certificate, '/closing');
    assert.equal(curious.requests.at(-1)?.is_resumed, is_resumed);
  }
});

test('a client certificate alone leaves the authorities of the system in place', async () => {
  const { get } = makeSend();
  assert.equal((await get(trusted, toCertificate({ ca: null, client: clientNamed('alpha') }))).status, 200);
  await assert.rejects(
    get(mutual, toCertificate({ ca: null, client: clientNamed('alpha') })),
    failsAs('certificate_not_accepted'),
  );
});

test('an intermediate, or the certificate of the host itself, is enough as an authority', async () => {
  const { get } = makeSend();
  for (const ca of [intermediate.certificate, below.cert])
    assert.equal((await get(chained, toCertificate({ ca, client: null }))).status, 200);
});

test('a certificate that cannot be used is an error of the call, and another call is not affected', async () => {
  const { get } = makeSend();
  const { certificate } = clientNamed('alpha');
  const broken = toCertificate({ ca: null, client: { certificate, key: clientNamed('beta').key } });
  await assert.rejects(get(trusted, broken), failsAs('tls_failed'));
  assert.equal((await get(trusted)).status, 200);
});

test('a host can be looked at whatever it presents, and nothing is sent to it', async () => {
  const { send } = makeSend();
  const look = ({ url }: { url: string }) => send.inspect({ origin: url, certificate: withoutClient });
  const counts = () => peers.flatMap((peer) => ('requests' in peer ? [peer.requests.length] : []));
  const before = counts();
  const found = await look(chained);
  assert.deepEqual([found.verify_error, found.is_for_host, found.protocol], [null, true, 'TLSv1.3']);
  assert.deepEqual(
    found.chain.map(({ subject }) => subject),
    ['CN=localhost', 'CN=its intermediate'],
  );
  const unknown = await look(trusted);
  assert.deepEqual([unknown.verify_error, unknown.chain.length], ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 1]);
  assert.equal((await look(stale)).verify_error, 'CERT_HAS_EXPIRED');
  const other = await look(elsewhere);
  assert.deepEqual([other.verify_error, other.is_for_host], [null, false]);
  assert.deepEqual(counts(), before);
  await assert.rejects(
    send.inspect({ origin: 'https://127.0.0.1:1', certificate: withoutClient }),
    (error: unknown) => error instanceof SendError && error.kind === 'blocked',
  );
});
