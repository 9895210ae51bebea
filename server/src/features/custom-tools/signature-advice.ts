// The advice of explain-signature.ts: the usual cause of each difference.

import type { lineNames } from './signature.ts';
import type { SignatureCheck } from './signature-check.ts';

const causes: Record<(typeof lineNames)[number], string> = {
  version: 'The first line is v1.',
  timestamp: 'Take X-Toolgate-Timestamp as it came, in seconds.',
  request_id: 'Take X-Toolgate-Request-Id as it came.',
  method: 'Take the method as it came, in capitals; a proxy or framework may have changed it.',
  host: 'Take the host of the base_url, with its port unless it is 443: a proxy in front of you changed the Host header.',
  path: 'Take the path as it came, still percent-encoded, before your framework decodes or rewrites it.',
  query: 'Take the query as it came, without the question mark, neither decoded nor sorted.',
  body_sha256: 'Hash the raw bytes of the body, before any parser reads them; for no body, hash nothing.',
  project_id: 'Take X-Toolgate-Project-Id as it came.',
  integration_id: 'Take X-Toolgate-Integration-Id as it came; the line is empty when there is none.',
  member_id: 'Take X-Toolgate-Member-Id as it came, still percent-encoded; the line is empty when there is none.',
};

export function adviceOn({
  signature,
  timestamp,
  first_difference,
}: Pick<SignatureCheck, 'signature' | 'timestamp' | 'first_difference'>): string {
  if (first_difference)
    return (
      causes[first_difference.name as keyof typeof causes] ??
      'The string ends with the member id, without a line break.'
    );
  if (signature === 'missing')
    return 'X-Toolgate-Signature is missing or has no v1= entry: something between us removed it.';
  if (signature === 'different')
    return 'The string is right, so the signature was made over other bytes or with another secret: check that the body, path and query given here are the raw ones, and that both sides have the same secret.';
  if (!timestamp.is_within_window)
    return 'The signature matches but is more than 300 seconds old or ahead: check the clock, or treat it as a replay.';
  return signature === 'previous'
    ? 'The signature was made with the secret before the current one, which stops signing soon.'
    : 'The signature is valid.';
}
