// The advice of explain-signature.ts: the usual cause of each difference.

import type { SignatureCheck, signedLines } from '@toolgate/contract/custom-tools/signature-check.ts';

const causes: Record<(typeof signedLines)[number], string> = {
  version: 'The first line is v1.',
  timestamp: 'Use X-Toolgate-Timestamp exactly as received, in seconds.',
  request_id: 'Use X-Toolgate-Request-Id exactly as received.',
  method: 'Use the method exactly as received, in capitals; a proxy or framework may have changed it.',
  host: 'Use the host from base_url, with its port unless it is 443: a proxy in front of you changed the Host header.',
  path: 'Use the path exactly as received, still percent-encoded, before your framework decodes or rewrites it.',
  query: 'Use the query exactly as received, without the question mark, neither decoded nor sorted.',
  body_sha256: 'Hash the raw bytes of the body, before any parser reads them; without a body, hash zero bytes.',
  project_id: 'Use X-Toolgate-Project-Id exactly as received.',
  integration_id: 'Use X-Toolgate-Integration-Id exactly as received; the line is empty if the header is absent.',
  member_id:
    'Use X-Toolgate-Member-Id exactly as received, still percent-encoded; the line is empty if the header is absent.',
};

type Found = Pick<SignatureCheck, 'missing_headers' | 'signature' | 'timestamp' | 'first_difference'>;

/** `has_string`: a canonical_string was sent, so that it can be said to be right. */
export function adviceOn(
  { missing_headers, signature, timestamp, first_difference }: Found,
  has_string: boolean,
): string {
  if (missing_headers.length > 0)
    return `These headers are missing: ${missing_headers.join(', ')}. Send all headers as you received them; a proxy may have removed some.`;
  if (first_difference)
    return (
      causes[first_difference.name as keyof typeof causes] ??
      'The string ends with the member id, without a line break.'
    );
  if (signature === 'missing') return 'X-Toolgate-Signature has no entry v1= with 64 hexadecimal digits.';
  if (signature === 'different') return has_string ? `Your string is correct, but ${OTHER_BYTES}` : NO_STRING;
  if (!timestamp.is_within_window)
    return 'The signature matches but is more than 300 seconds old or ahead: check the clock, or treat it as a replay.';
  return signature === 'previous'
    ? 'The signature was made with the previous secret, which stops signing soon.'
    : 'The signature is valid.';
}

const OTHER_BYTES =
  'the signature was made over other bytes or with another secret: check that the body, path and query given here are the raw ones, and that both sides have the same secret.';
const NO_STRING = `None of the given lines differ, but ${OTHER_BYTES} Send canonical_string, the string that your code signs, to compare every line.`;
