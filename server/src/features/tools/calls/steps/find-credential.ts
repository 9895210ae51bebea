// How the call authenticates. A token that is not cached is fetched here, and not while the call holds a slot: a call that held one while
// it waited for another could wait for itself.

import { CallOutdated } from '../call-access.ts';
import { sendErrorToRefusal } from '../call-refusals.ts';
import { authorize } from '../credentials/authorize.ts';
import { whenConnected } from '../credentials/elicit-connection.ts';
import type { CallRun, Step } from '../run.ts';

export const findCredential: Step = (app, run) => {
  const find = () => authorize(app, run);
  try {
    const found = run.tool.credential.kind === 'member_token' ? whenConnected(run, find) : find();
    if (!(found instanceof Promise)) {
      run.authorization = found;
      return;
    }
    return found.then(
      (authorization) => {
        run.authorization = authorization;
      },
      (error: unknown) => Promise.reject(refusalOf(error, run)),
    );
  } catch (error) {
    throw refusalOf(error, run);
  }
};

const refusalOf = (error: unknown, { caller, call }: CallRun) =>
  error instanceof CallOutdated ? error : sendErrorToRefusal(error, caller, call.requester);
