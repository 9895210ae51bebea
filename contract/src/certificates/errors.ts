// The errors of certificates.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const certificatesErrors = {
  certificateInUse: {
    status: 409,
    code: 'CERTIFICATE_IN_USE',
    message: 'The certificate is in use',
    cause: 'Tools, MCP servers, hooks, webhooks, log streams or OAuth providers connect with the certificate.',
    remedy: 'Set certificate_id of everything in details.used_by to null or to another certificate, then delete it.',
    step: 'body',
  },
} as const satisfies Record<string, ErrorRow>;

export const certificatesReasons = {
  certificate_unknown: {
    cause: 'certificate_id names a certificate that the project does not have.',
    remedy: "Use the id of one of the project's certificates; list them with GET /projects/{project_id}/certificates.",
  },
  certificate_without_tls: {
    cause: 'A certificate is only used with TLS, and the URL is plain HTTP.',
    remedy: 'Use an HTTPS URL, or set certificate_id to null.',
  },
  certificate_invalid: {
    cause: 'The text is not PEM of the kind that the field requires, or it cannot be used for TLS.',
    remedy: 'Send certificates as PEM, with the BEGIN and END lines; details.problems lists what is wrong.',
  },
  certificate_expired: {
    cause: 'One of the certificates has expired, so that every connection with it would fail.',
    remedy: 'Send a certificate that is still valid, and leave out authorities that have expired.',
  },
  client_key_mismatch: {
    cause: 'The private key is not the one of the client certificate.',
    remedy: 'Send client_certificate together with its own client_key.',
  },
} as const satisfies Record<string, ReasonRow>;
