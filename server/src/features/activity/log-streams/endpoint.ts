// Which endpoints a log stream may have, and what URL a request to one has.

import type { LogStreamKind } from '@toolgate/contract/log-streams/rules.ts';
import { invalidField } from '../../../errors/errors.ts';
import type { AllowList } from '../../../outbound/allow-list.ts';
import { refuseUrl, type Target, targetOf } from '../webhooks/url.ts';

const LOGS_PATH = '/v1/logs';

/** The text is validated here, the resolved address at each attempt. */
export function refuseEndpoint(kind: LogStreamKind, endpoint: string, allow: AllowList): void {
  refuseUrl(endpoint, allow, 'endpoint');
  if (kind !== 'https' && endpoint.includes('?')) throw invalidField('endpoint', `must not have a query (${kind})`);
}

/** The URL for logs, from the base URL of a collector or from itself. */
export function otlpTarget(endpoint: string): Target {
  const { origin, path } = targetOf(endpoint);
  const base = path.replace(/\/+$/, '');
  return { origin, path: base.endsWith(LOGS_PATH) ? base : base + LOGS_PATH };
}

/** An object by the path of its bucket: the URL of every S3-compatible store can be written so. */
export function objectTarget(endpoint: string, bucket: string, key: string): Target {
  const { origin, path } = targetOf(endpoint);
  return { origin, path: `${path.replace(/\/+$/, '')}/${bucket}/${key}` };
}
