// The choices and bounds of certificates. Without zod: the dashboard ships it to browsers.

/** In one project. */
export const MAX_CERTIFICATES = 20;

/** Of each of `ca`, `client_certificate` and `client_key`. */
export const MAX_PEM_LENGTH = 64 * 1024;

/** An event is recorded so many days before a certificate expires. */
export const EXPIRY_WARNING_DAYS = [30, 7, 1] as const;

/** What can have a certificate. */
export const certificateUsers = [
  'custom_tool',
  'mcp_server',
  'hook',
  'webhook',
  'log_stream',
  'oauth_provider',
] as const;

export type CertificateUser = (typeof certificateUsers)[number];

/** What a test can find. */
export const certificateProblems = [
  'unable_to_verify',
  'wrong_host',
  'expired',
  'not_yet_valid',
  'client_certificate_missing',
  'client_certificate_refused',
  'tls_failed',
  'address',
  'connection',
] as const;

export type CertificateProblem = (typeof certificateProblems)[number];
