// A certificate: the authorities that a host is verified with, and what toolgate identifies itself with. Its key is never returned.

import { z } from 'zod';
import { resourceHistory, name as resourceName, text, timestamp } from '../fields.ts';
import { certificateProblems, certificateUsers, MAX_PEM_LENGTH } from './rules.ts';

const PEM_EXAMPLE = '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n';

const name = resourceName.meta({
  description: 'A name for people; 1 to 128 characters, unique in the project',
  example: 'Partner gateway',
});
const pem = text(1, MAX_PEM_LENGTH);
const ca = pem.nullable().meta({
  description:
    "PEM of one or more certificate authorities, at most 64 KiB. Hosts are verified with these instead of the system's; an intermediate, or the host's own certificate, is enough. Null: with the system's",
  example: PEM_EXAMPLE,
});
const client_certificate = pem.nullable().meta({
  description:
    'PEM of the certificate that toolgate identifies itself with (mTLS), followed by its intermediates in order; at most 64 KiB',
  example: PEM_EXAMPLE,
});
const client_key = pem.nullable().meta({
  description:
    'PEM of the private key of `client_certificate`, not encrypted; RSA of 2,048 to 4,096 bits, EC (P-256, P-384, P-521) or Ed25519. Stored encrypted and never returned',
  example: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
});

const certificateUse = z
  .strictObject({
    type: z.enum(certificateUsers).meta({ description: 'What uses it' }),
    id: z.string().meta({ description: 'Its id', example: 'tool_7kPm3zWdHs9vXc1QnT6yRb' }),
    name: z.string().meta({ description: 'Its name, or its URL', example: 'find_order' }),
  })
  .meta({ id: 'CertificateUse' });

export type CertificateUse = z.infer<typeof certificateUse>;

const ownFields = {
  id: z.string(),
  object: z.literal('certificate'),
  project_id: z.string(),
  name,
  ca,
  client_certificate,
  has_client_key: z.boolean().meta({ description: 'Whether a private key is stored. It is never returned' }),
  expires_at: timestamp.meta({ description: 'When the first of its certificates expires' }),
};

export const certificate = z
  .strictObject({
    ...ownFields,
    used_by: z.array(certificateUse).meta({ description: 'What uses it; the first 100' }),
    use_count: z.int().meta({ description: 'How many things use it' }),
    ...resourceHistory,
  })
  .meta({ id: 'Certificate' });

export type Certificate = z.infer<typeof certificate>;

export const certificateRequest = z
  .strictObject({
    name,
    ca: ca.default(null),
    client_certificate: client_certificate.default(null),
    client_key: client_key.default(null),
  })
  .meta({ id: 'CertificateRequest' });

export type CertificateRequest = z.infer<typeof certificateRequest>;

export const certificateChange = z
  .strictObject({ name, ca, client_certificate, client_key })
  .partial()
  .meta({ id: 'CertificateChange' });

export type CertificateChange = z.infer<typeof certificateChange>;

/** In an event. */
export const expiringCertificate = z
  .strictObject({
    id: z.string(),
    object: z.literal('certificate'),
    project_id: z.string(),
    name,
    expires_at: ownFields.expires_at,
    days_left: z
      .int()
      .meta({ description: 'Whole days until then; 0 on the last day, or if it has expired', example: 29 }),
    use_count: z.int().meta({ description: 'How many things use it' }),
  })
  .meta({ id: 'ExpiringCertificate' });

export const certificateTestRequest = z
  .strictObject({
    url: text(1, 2_048).meta({
      description: 'HTTPS URL of the host. A GET request without a credential is sent to it if its chain is accepted',
      example: 'https://api.example.com/health',
    }),
  })
  .meta({ id: 'CertificateTestRequest' });

export type CertificateTestRequest = z.infer<typeof certificateTestRequest>;

const presentedCertificate = z
  .strictObject({
    subject: z.string().meta({ description: 'Whose certificate it is', example: 'CN=api.example.com, O=Example' }),
    issuer: z.string().meta({ description: 'Who signed it', example: 'CN=Example Issuing CA, O=Example' }),
    names: z.array(z.string()).meta({
      description: 'The names and addresses that it is for, at most 100',
      example: ['api.example.com'],
    }),
    valid_from: timestamp.meta({ description: 'From when it is valid' }),
    valid_to: timestamp.meta({ description: 'The time until which it is valid' }),
    fingerprint_sha256: z.string().meta({ description: 'SHA-256 of the certificate, in hex', example: '3b1f…' }),
  })
  .meta({ id: 'PresentedCertificate' });

export type PresentedCertificate = z.infer<typeof presentedCertificate>;

export const certificateTest = z
  .strictObject({
    object: z.literal('certificate_test'),
    certificate_id: z.string().meta({ description: 'The tested certificate' }),
    url: z.string().meta({ description: 'The URL that was asked' }),
    is_successful: z.boolean().meta({ description: 'Whether the host was verified and returned a response' }),
    status: z.int().nullable().meta({ description: 'The status of the response, if there was one', example: 200 }),
    protocol: z.string().nullable().meta({ description: 'The version of TLS', example: 'TLSv1.3' }),
    chain: z.array(presentedCertificate).meta({
      description: 'The certificates that the host presented, its own first; at most 10. Empty if it presented none',
    }),
    problems: z
      .array(
        z
          .strictObject({
            code: z.enum(certificateProblems).meta({ description: 'What was wrong, for programs' }),
            message: z.string().meta({ description: 'What was wrong, and what to do' }),
          })
          .meta({ id: 'CertificateTestProblem' }),
      )
      .meta({ description: 'Everything that was wrong; empty if the test succeeded' }),
    duration_ms: z.int().meta({ description: 'How long the test took' }),
  })
  .meta({ id: 'CertificateTest' });

export type CertificateTest = z.infer<typeof certificateTest>;
