// Writes vectors/id-jag.json: ID-JAGs that are accepted, and for each check one that it refuses.
// Run `node server/test/make-vectors/id-jag.ts` after changing a rule; a test fails while the file is stale.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AssertionAlgorithm } from '@toolgate/contract/assertion-keys/rules.ts';
import type { IdJagCheck } from '@toolgate/contract/oauth-providers/rules.ts';
import { fixedSigner } from './fixed-keys.ts';

export const vectorsFile = join(import.meta.dirname, '../../../vectors/id-jag.json');

const now = 1_800_000_000;
const audience = 'https://tools.example.com';
const issuer = 'https://login.example.com';
const client_id = 'oac_3pWn8sLcVd5yTk1QmX7zRb';
const resource = `${audience}/api/v1/mcp/prj_1`;
const provider = { issuer, required_claims: { tid: 'acme' }, max_assertion_seconds: 300, permissions: ['read'] };

const names: AssertionAlgorithm[] = ['ES256', 'ES384', 'Ed25519', 'RS256'];
const signers = Object.fromEntries(names.map((name) => [name, fixedSigner(name, `id-jag ${name}`)]));
const stranger = fixedSigner('ES256', 'id-jag stranger');

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const usual = {
  iss: issuer,
  sub: 'alice',
  aud: audience,
  client_id,
  resource,
  jti: 'jti-1',
  tid: 'acme',
  scope: 'mcp',
};

type Made = { claims?: object; header?: object; by?: ReturnType<typeof fixedSigner> };

function make({ claims = {}, header = {}, by = signers.ES256 }: Made = {}): string {
  const signer = by as ReturnType<typeof fixedSigner>;
  const alg = signer.algorithm === 'Ed25519' ? 'EdDSA' : signer.algorithm;
  const head = { alg, kid: signer.algorithm, typ: 'oauth-id-jag+jwt', ...header };
  const signed = `${encode(head)}.${encode({ ...usual, iat: now, exp: now + 300, ...claims })}`;
  return `${signed}.${signer.sign(Buffer.from(signed)).toString('base64url')}`;
}

const accepted: Record<string, Made> = {
  ES256: {},
  ES384: { by: signers.ES384 as never },
  RS256: { by: signers.RS256 as never },
  EdDSA: { by: signers.Ed25519 as never },
  'without kid': { header: { kid: undefined } },
  'aud as a list of one': { claims: { aud: [audience] } },
  'without resource and scope': { claims: { resource: undefined, scope: undefined } },
  'expired 4 seconds ago, within the skew': { claims: { iat: now - 200, exp: now - 4 } },
};

const refused: [check: IdJagCheck, name: string, made: Made][] = [
  ['shape', 'a header that names a key set', { header: { jku: 'https://login.example.com/jwks' } }],
  ['typ', 'an ID token', { header: { typ: 'JWT' } }],
  ['typ', 'no typ', { header: { typ: undefined } }],
  ['algorithm', 'alg none', { header: { alg: 'none' } }],
  ['algorithm', 'alg HS256', { header: { alg: 'HS256' } }],
  ['issuer', 'another issuer', { claims: { iss: 'https://login.example.org' } }],
  ['issuer', 'one slash more', { claims: { iss: `${issuer}/` } }],
  ['issuer', 'no issuer', { claims: { iss: undefined } }],
  ['key', 'a kid that the issuer does not have', { header: { kid: 'unknown' } }],
  ['key', 'a key of another algorithm', { header: { alg: 'ES384' } }],
  ['signature', 'signed by a stranger', { by: stranger, header: { kid: 'ES256' } }],
  ['aud', 'another audience', { claims: { aud: 'https://tools.example.org' } }],
  ['aud', 'two audiences', { claims: { aud: [audience, issuer] } }],
  ['resource', 'another resource', { claims: { resource: `${audience}/api/v1/mcp/prj_2` } }],
  ['client_id', 'another client', { claims: { client_id: 'oac_0000000000000000000000' } }],
  ['client_id', 'no client', { claims: { client_id: undefined } }],
  ['sub', 'no subject', { claims: { sub: undefined } }],
  ['sub', 'a subject that is a number', { claims: { sub: 42 } }],
  ['jti', 'no jti', { claims: { jti: undefined } }],
  ['iat', 'no iat', { claims: { iat: undefined } }],
  ['exp', 'no exp', { claims: { exp: undefined } }],
  ['exp', 'exp as text', { claims: { exp: String(now + 60) } }],
  ['times', 'lives too long', { claims: { exp: now + 301 } }],
  ['times', 'expired', { claims: { iat: now - 200, exp: now - 5 } }],
  ['times', 'made in the future', { claims: { iat: now + 6, exp: now + 60 } }],
  ['times', 'not valid yet', { claims: { nbf: now + 6 } }],
  ['cnf', 'bound to a key', { claims: { cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } } }],
  ['replay', 'a jti that was used', { claims: { jti: 'used' } }],
  ['required_claims', 'another tenant', { claims: { tid: 'other' } }],
  ['required_claims', 'a tenant that is an object', { claims: { tid: { toString: 'acme' } } }],
  ['required_claims', 'no tenant', { claims: { tid: undefined } }],
  ['scope', 'a scope that the provider does not grant', { claims: { scope: 'write' } }],
  ['scope', 'an empty scope', { claims: { scope: ' ' } }],
];

export type IdJagVectors = {
  now: number;
  audience: string;
  client_id: string;
  resource: string;
  used_jti: string;
  provider: {
    issuer: string;
    required_claims: Record<string, string>;
    max_assertion_seconds: number;
    permissions: 'read'[];
  };
  jwks: { keys: object[] };
  accepted: { name: string; assertion: string }[];
  refused: { check: IdJagCheck; name: string; assertion: string }[];
};

export function vectorsText(): string {
  const keys = names.map((name) => ({
    ...(signers[name] as ReturnType<typeof fixedSigner>).publicKey.export({ format: 'jwk' }),
    kid: name,
    use: 'sig',
  }));
  const vectors = {
    now,
    audience,
    client_id,
    resource,
    used_jti: 'used',
    provider,
    jwks: { keys },
    accepted: Object.entries(accepted).map(([name, made]) => ({ name, assertion: make(made) })),
    refused: [
      { check: 'shape', name: 'two parts', assertion: make().split('.').slice(0, 2).join('.') },
      ...refused.map(([check, name, made]) => ({ check, name, assertion: make(made) })),
    ],
  };
  return `${JSON.stringify(vectors, null, 2)}\n`;
}

if (import.meta.main) writeFileSync(vectorsFile, vectorsText());
