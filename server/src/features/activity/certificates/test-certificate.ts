// POST …/certificates/{id}/test: connects to a host, and says in plain words what is wrong with what it presents. First the chain is
// looked at on a connection that nothing is sent on; only if it is accepted, a request shows what the host thinks of our certificate.

import type {
  CertificateTest,
  CertificateTestRequest,
  PresentedCertificate,
} from '@toolgate/contract/certificates/certificate.ts';
import type { CertificateProblem } from '@toolgate/contract/certificates/rules.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import { getRow } from '../../../api/get-row.ts';
import type { App } from '../../../app.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { version } from '../../../installation.ts';
import { checkOrigin } from '../../../outbound/address-guard.ts';
import type { Inspected } from '../../../outbound/inspect-host.ts';
import { type Certificate, type ConnectionFailure, SendError } from '../../../outbound/messages.ts';
import { SecretUnreadable } from '../../../secrets/aes-gcm.ts';
import { findCertificate } from './find-certificate.ts';
import { showName } from './pem.ts';
import { selectCertificate } from './store.ts';

type Problem = { code: CertificateProblem; message: string };

const TIMEOUT_MS = 10_000;
const READ_BYTES = 16 * 1024;
const MAX_NAMES = 100;

/** Holds no permit while the host responds. */
export async function testCertificate(
  app: App,
  caller: Caller,
  id: string,
  { url }: CertificateTestRequest,
): Promise<CertificateTest> {
  refuseNarrowed(caller);
  const { origin, path } = targetOf(app, url);
  const project = projectOf(caller);
  const certificate = await app.permits.run(project, async () => {
    await getRow(app, caller, id, selectCertificate);
    return openCertificate(app, project.id, id);
  });
  const began = performance.now();
  const inspected: Inspected | SendError = await app.inspect({ origin, certificate }).catch(failureOf);
  const problems: Problem[] =
    inspected instanceof SendError
      ? [explainFailure(inspected, certificate, 'handshake')]
      : explain(inspected, url, app.now());
  const asked = problems.length > 0 ? null : await ask(app, { origin, path }, certificate, project.fairness_key);
  if (asked?.problem) problems.push(asked.problem);
  const { chain, protocol } = inspected instanceof SendError ? { chain: [], protocol: null } : inspected;
  return {
    object: 'certificate_test',
    certificate_id: id,
    url,
    is_successful: problems.length === 0,
    status: asked?.status ?? null,
    protocol,
    chain: chain.map(showPresented),
    problems,
    duration_ms: Math.round(performance.now() - began),
  };
}

/** HTTPS, to a host that tools can reach too. */
function targetOf(app: App, text: string): { origin: string; path: string } {
  const url = URL.parse(text);
  const is_plain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  const checked = is_plain ? checkOrigin(url.origin, app.egress.allowed()) : { problem: 'not_https' as const };
  if (url !== null && !('problem' in checked)) return { origin: url.origin, path: url.pathname + url.search };
  throw invalidField('url', 'must be a public HTTPS URL without user and password', {
    reason: 'problem' in checked && checked.problem === 'not_public' ? 'address_not_public' : 'invalid_value',
  });
}

async function openCertificate(app: App, project_id: string, id: string): Promise<Certificate> {
  try {
    return (await findCertificate(app, project_id, id)) as Certificate;
  } catch (error) {
    if (error instanceof SecretUnreadable) throw refuse.authSecretUnreadable({ cause: error.message });
    throw error;
  }
}

function failureOf(error: unknown): SendError {
  if (error instanceof SendError) return error;
  throw error;
}

type Presented = Pick<Inspected, 'chain' | 'verify_error' | 'is_for_host'>;

/** Everything that is wrong with what the host presents. */
function explain({ chain, verify_error, is_for_host }: Presented, url: string, now: number): Problem[] {
  const { hostname } = new URL(url);
  const problems: Problem[] = [];
  if (verify_error !== null) problems.push(explainChain(verify_error, chain, now));
  if (chain.length > 0 && !is_for_host) {
    const names = namesOf(chain[0] as Inspected['chain'][0]);
    const list =
      names.length === 0 ? 'no host' : names.slice(0, 5).join(', ') + (names.length > 5 ? ' and others' : '');
    const message = `The host's certificate is not for ${hostname}: it is for ${list}. Use a name that it is for, or install a certificate for this name.`;
    problems.push({ code: 'wrong_host', message });
  }
  return problems;
}

const day = (text: string) => new Date(Date.parse(text)).toISOString().slice(0, 10);

function explainChain(verify_error: string, chain: Inspected['chain'], now: number): Problem {
  if (verify_error === 'CERT_HAS_EXPIRED') return { code: 'expired', message: whichExpired(chain, now) };
  if (verify_error === 'CERT_NOT_YET_VALID') {
    const found = chain.find(({ validFrom }) => Date.parse(validFrom) > now);
    const message = `A certificate of the host is not valid yet${found ? `: it is from ${day(found.validFrom)} on` : ''}. Check the clocks of both machines.`;
    return { code: 'not_yet_valid', message };
  }
  return { code: 'unable_to_verify', message: `${whyUnverified(verify_error, chain)} (${verify_error})` };
}

function whichExpired(chain: Inspected['chain'], now: number): string {
  const at = chain.findIndex(({ validTo }) => Date.parse(validTo) <= now);
  const found = chain[at];
  if (found === undefined) return 'An authority that the chain leads to has expired. Replace it in ca.';
  const which =
    at === 0 ? "The host's certificate" : `The certificate of ${showName(found.subject)} in the host's chain`;
  return `${which} expired on ${day(found.validTo)}. Whoever runs the host has to renew it.`;
}

function whyUnverified(verify_error: string, chain: Inspected['chain']): string {
  const issuer = showName(chain.at(-1)?.issuer);
  switch (verify_error) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return "Unable to verify: the host's certificate is signed by itself, and not trusted. Add it to ca.";
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return `Unable to verify: the chain ends at ${issuer}, which is not trusted. Add that authority to ca.`;
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `Unable to verify: the host did not send the certificate of ${issuer}, and it is not trusted. Add it to ca, or let the host send its intermediate certificates.`;
    default:
      return "Unable to verify the host's chain with the authorities of this certificate.";
  }
}

type Asked = { status: number | null; problem?: Problem };

/** nginx responds to a client certificate that it misses or refuses, and does so over TLS. */
const NGINX_MISSES = /No required SSL certificate was sent/;
const NGINX_REFUSES = /The SSL certificate error/;

async function ask(
  app: App,
  target: { origin: string; path: string },
  certificate: Certificate,
  fairness_key: string,
): Promise<Asked> {
  try {
    const { status, body } = await app.send({
      ...target,
      method: 'GET',
      headers: { 'user-agent': `toolgate/${version}` },
      timeout_ms: TIMEOUT_MS,
      max_response_bytes: READ_BYTES,
      certificate,
      isolation_key: fairness_key,
      // It does not find the circuit breaker of anything open, nor opens one.
      isolation_part: 'certificate test',
    });
    const text = status === 400 ? body.toString('latin1') : '';
    if (NGINX_MISSES.test(text)) return { status, problem: missing(certificate) };
    if (NGINX_REFUSES.test(text)) return { status, problem: refused };
    return { status };
  } catch (error) {
    return { status: null, problem: explainFailure(failureOf(error), certificate, 'response') };
  }
}

const refused: Problem = {
  code: 'client_certificate_refused',
  message:
    'The host refused the client certificate. Check that its issuer is one that the host accepts, that its intermediates are sent, and that it is for clients.',
};

/** What the host says where it gets none, or not the one it expects. */
const missing = ({ client }: Certificate): Problem =>
  client === null
    ? {
        code: 'client_certificate_missing',
        message:
          'The host requires a client certificate, and this certificate has none. Add client_certificate and client_key.',
      }
    : refused;

const failures: Partial<Record<ConnectionFailure, string>> = {
  host_not_resolved: 'The host name was not found.',
  host_unreachable: 'The host cannot be reached.',
  connection_refused: 'The host refused the connection.',
  connect_timed_out: 'The host did not accept the connection in time.',
  malformed_response: 'The connection was made, but the response is not valid HTTP.',
  refused_by_egress_proxy: 'The connection was refused by the egress proxy.',
  egress_proxy_unreachable: 'The egress proxy cannot be reached.',
};

/** `stage`: what the host was asked for. Whatever ends a handshake, the host gives no reason for it. */
function explainFailure(
  { kind, failure }: SendError,
  certificate: Certificate,
  stage: 'handshake' | 'response',
): Problem {
  if (kind === 'blocked')
    return { code: 'address', message: 'The IP address is not public. The operator can allow it.' };
  if (kind === 'timeout') return { code: 'connection', message: 'The host did not respond in time.' };
  if (failure === 'client_certificate_refused') return missing(certificate);
  const cause =
    certificate.client === null ? 'it requires a client certificate' : 'it does not accept the client certificate';
  const is_closed = failure === 'connection_closed';
  if (failure === 'tls_failed' || (is_closed && stage === 'handshake'))
    return {
      code: 'tls_failed',
      message: `The TLS handshake failed: the host does not speak TLS 1.2 or later on this port, or ${cause}.`,
    };
  if (is_closed)
    return {
      code: 'connection',
      message: `The host closed the connection before it responded, perhaps because ${cause}.`,
    };
  return { code: 'connection', message: (failure && failures[failure]) ?? 'No connection could be made.' };
}

/** Of the subjectAltName: without their kinds, such as `DNS:`. */
function namesOf({ subjectAltName = '' }: Inspected['chain'][0]): string[] {
  return subjectAltName
    .split(', ')
    .map((name) => showName(name.replace(/^(?:DNS|IP Address):/, '')))
    .filter((name) => name !== '')
    .slice(0, MAX_NAMES);
}

function showPresented(each: Inspected['chain'][0]): PresentedCertificate {
  const time = (text: string) => new Date(Date.parse(text)).toISOString();
  return {
    subject: showName(each.subject),
    issuer: showName(each.issuer),
    names: namesOf(each),
    valid_from: time(each.validFrom),
    valid_to: time(each.validTo),
    fingerprint_sha256: each.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}
