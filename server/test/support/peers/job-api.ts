// Jobs of an API at the fake customer: each tool starts jobs at a path of its own, and a test says what becomes of them.

import type { Customer, CustomerResponse, ReceivedRequest } from './fake-customer.ts';

export type JobPaths = { start: string; status: string; result: string; cancel: string };

let count = 0;

/** Paths that no other test uses. */
export function jobPaths(): JobPaths {
  count += 1;
  const root = `/jobs-${process.pid}-${count}`;
  return { start: root, status: `${root}/7`, result: `${root}/7/result`, cancel: `${root}/7/cancel` };
}

/** How a tool follows them. */
export const pollingOf = ({ start }: JobPaths) => ({
  job_id: 'id',
  status_path: `${start}/{{job_id}}`,
  status: 'state',
  done: ['done'],
  failed: ['error'],
  progress: 'percent',
  result: 'output',
  error: 'reason',
  interval_seconds: 5,
  timeout_seconds: 600,
});

/** Starts with 202; `next` is what the API says about the job from then on. */
export function makeJobApi(customer: Customer, paths: JobPaths = jobPaths()) {
  let next: CustomerResponse | ((request: ReceivedRequest) => CustomerResponse) = {
    body: { state: 'running', percent: 10 },
  };
  customer.respond(paths.start, { status: 202, body: { id: 7, state: 'queued' } });
  customer.respond(paths.status, (request) => (typeof next === 'function' ? next(request) : next));
  customer.respond(paths.cancel, { status: 204 });
  return {
    ...paths,
    say(response: typeof next): void {
      next = response;
    },
    starts: () => customer.at(paths.start),
    polls: () => customer.at(paths.status).filter(({ method }) => method === 'GET'),
    cancels: () => customer.at(paths.cancel),
  };
}

export type JobApi = ReturnType<typeof makeJobApi>;
