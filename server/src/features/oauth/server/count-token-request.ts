// A request to the token endpoint counts against the plan of its project, once the project is known.

import type { Project } from '../../../access/caller.ts';
import type { RateLimitStatus } from '../../../api/response-headers.ts';
import type { App } from '../../../app.ts';
import { countRequest, refuseBeyondLimit } from '../../projects/projects/count-request.ts';

export type CountedRequest = { http_request: { id: string; rate_limit: RateLimitStatus | null } };

export async function countAgainstPlan(app: App, project: Project, { http_request }: CountedRequest): Promise<void> {
  refuseBeyondLimit(await countRequest(app, project, http_request));
}
