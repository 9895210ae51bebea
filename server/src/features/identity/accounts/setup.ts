// The first set-up: whoever has the link becomes the owner of the first organization, with a first project, and is signed in.
// Among requests at the same time, one succeeds.

import type { Setup, SetupResult } from '@toolgate/contract/accounts/sign-in.ts';
import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { createProject } from '../../projects/projects/create.ts';
import { findFirstOrganization } from '../../projects/projects/find.ts';
import { showCurrentAccount } from './account.ts';
import { createAccount } from './create.ts';
import { hashPassword, refuseCommonPassword } from './password.ts';
import { queueByNetwork } from './queue-by-network.ts';
import { type Browser, startSession, toCaller } from './session.ts';
import { isSetupNeeded } from './setup-link.ts';
import { deleteLinks, isValidLink, lockSetup } from './setup-store.ts';

export type SetUp = { result: SetupResult; token: string };

export async function setUp(app: App, browser: Browser, input: Setup): Promise<SetUp> {
  await queueByNetwork(app, browser, () => refuseUnlessValid(app, input.token));
  refuseCommonPassword('password', input.password, input.email);
  const password_hash = await hashPassword(app, browser, input.password);
  return queueByNetwork(app, browser, () => create(app, browser, input, password_hash));
}

function create(app: App, browser: Browser, input: Setup, password_hash: string): Promise<SetUp> {
  return transact(app, async (app) => {
    await lockSetup(app.database);
    await refuseUnlessValid(app, input.token);
    await deleteLinks(app.database);
    const account = await createAccount(app, {
      organization_id: await findFirstOrganization(app),
      name: input.name,
      email: input.email,
      password_hash,
      role: 'owner',
    });
    const { token, current } = await startSession(app, account.id, browser);
    const project = await createProject(app, toCaller(current), {
      name: input.project_name,
      environment: 'development',
    });
    return { result: { object: 'setup_result', account: showCurrentAccount(app, current), project }, token };
  });
}

async function refuseUnlessValid(app: App, token: string): Promise<void> {
  if (!(await isSetupNeeded(app))) throw refuse.notFound();
  const isValid = await isValidLink(app.database, hashToken(token), new Date(app.now()).toISOString());
  if (!isValid) throw refuse.setupLinkInvalid();
}
