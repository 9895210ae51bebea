// Whether the certificate authorities of NODE_EXTRA_CA_CERTS can be used. Node only warns about a file that it cannot read, and
// connections fail later.

import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Check, fail, ok, warn } from './check-result.ts';

const WARN_BEFORE_MS = 30 * 86_400_000;
const CERTIFICATE = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]*-----END (?:TRUSTED )?CERTIFICATE-----/g;

export async function checkAuthorities(file: string | undefined, now = Date.now()): Promise<Check> {
  const name = 'authorities';
  if (!file) return ok(name, 'only those that Node trusts');
  const fix = `openssl crl2pkcs7 -nocrl -certfile ${file} | openssl pkcs7 -print_certs -noout`;
  let certificates: X509Certificate[];
  try {
    certificates = (await readFile(file, 'utf8')).match(CERTIFICATE)?.map((pem) => new X509Certificate(pem)) ?? [];
  } catch (error) {
    return fail(name, `NODE_EXTRA_CA_CERTS cannot be used: ${(error as Error).message}`, fix);
  }
  if (certificates.length === 0) return fail(name, `${file} has no certificate in PEM`, fix);
  const endOf = ({ validTo }: X509Certificate) => Date.parse(validTo);
  const [first] = certificates.sort((a, b) => endOf(a) - endOf(b)) as [X509Certificate];
  const end = `"${commonName(first)}" in ${file}`;
  const renew = 'add the new certificate of this authority to the file, and restart toolgate';
  if (endOf(first) <= now) {
    // The bundle of a system has some that nobody uses any more.
    const report = certificates.every((certificate) => endOf(certificate) <= now) ? fail : warn;
    return report(name, `${end} has expired: ${first.validTo}`, renew);
  }
  if (endOf(first) - now < WARN_BEFORE_MS) return warn(name, `${end} expires soon: ${first.validTo}`, renew);
  const names = certificates.map((certificate) => `"${commonName(certificate)}"`).join(', ');
  return ok(name, `those that Node trusts, and ${names} of ${file}`);
}

const commonName = ({ subject }: X509Certificate) => /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ');
