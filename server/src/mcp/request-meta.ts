// What the results of a request have in `_meta` because of the request.

import type { Project } from '../access/caller.ts';
import type { App } from '../app.ts';
import { usageOf } from '../features/projects/projects/usage.ts';
import type { NearestLimit } from '../features/tools/limits/take.ts';
import type { RequestMeta } from './call-result.ts';
import type { MethodCall } from './method.ts';
import { serverInfoOf } from './server-info.ts';

/** Called when the result is there: further messages of a batch have been counted by then, as in the rate limit headers. */
export function requestMeta(
  { config }: App,
  project: Project,
  { protocol, request_id, http_request: { rate_limit } }: Pick<MethodCall, 'protocol' | 'request_id' | 'http_request'>,
  nearest_limit: NearestLimit | null = null,
): RequestMeta {
  const usage = rate_limit && { ...usageOf(project, rate_limit), ...(nearest_limit && { nearest_limit }) };
  return {
    request_id,
    public_url: config.public_url,
    server_info: protocol === 'modern' ? serverInfoOf(project).meta_entry : null,
    usage: usage && `"toolgate/usage":${JSON.stringify(usage)}`,
  };
}
