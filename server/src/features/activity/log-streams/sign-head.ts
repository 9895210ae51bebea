// The signature of an audit file: a compact JWS (RFC 7515) with ES256, whose payload is the head.

import { sign } from 'node:crypto';
import type { AuditHead } from '@toolgate/contract/log-streams/audit-head.ts';
import type { SigningKey } from '../../../secrets/audit-signing-key.ts';

export function signHead({ kid, key }: SigningKey, head: AuditHead): string {
  const content = `${encode({ alg: 'ES256', typ: 'audit-head+jws', kid })}.${encode(head)}`;
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
