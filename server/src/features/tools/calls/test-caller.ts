// "Try it": a person calls a tool on behalf of the project, or of a test member whom it names (contract 12). Such calls are
// marked as tests in the log and in the request.

import type { FastifyRequest } from 'fastify';
import { type AccountCaller, type Project, permitUser, projectOf, type TestCaller } from '../../../access/caller.ts';
import { EVERY_TOOL, type Layers, layersOf } from '../../../access/layers.ts';
import type { App } from '../../../app.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { isExternalId } from '../../members/assertion-keys/external-id.ts';
import { findOrCreateMember } from '../../members/member-sessions/find-or-create-member.ts';
import { memberToolsets } from '../../members/member-sessions/member-toolsets.ts';
import { countTestCall } from '../../projects/projects/count-request.ts';
import { findProject } from '../../projects/projects/find.ts';

/** In production nobody acts for a real member without an assertion, nor sees the data of one (spec 4.6). */
const TEST_PREFIX = 'test_';

type Request = Pick<FastifyRequest, 'caller' | 'reauthorize'>;

/** The member is created if it is new, as by a session of it. */
export async function testCaller(
  app: App,
  request: Request & { caller: AccountCaller },
  member_external_id: string | undefined,
): Promise<TestCaller> {
  const { caller } = request;
  const project = projectOf(caller);
  const external_id = checkTestMember(project, member_external_id);
  await countTestCall(app, project);
  const member =
    external_id === null
      ? null
      : {
          member_id: await app.permits.run(permitUser(caller), () => findOrCreateMember(app, project.id, external_id)),
          external_id,
        };
  const layers = member ? await layersOfTestMember(app, project) : EVERY_TOOL;
  return makeTestCaller(caller, project, { member, layers }, async () => {
    await request.reauthorize();
    const current = await findProject(app, project.id);
    if (!current) throw refuse.notFound();
    return current;
  });
}

/** Nothing is claimed of a test member. */
async function layersOfTestMember(app: App, project: Project): Promise<Layers> {
  const toolsets = await memberToolsets(app, project, {});
  return layersOf({ member: toolsets?.ids ?? null });
}

/** Throws unless a person may act for this member. Returns null without one. */
export function checkTestMember(project: Project, external_id: string | undefined): string | null {
  if (external_id === undefined) return null;
  const field = 'member_external_id';
  if (project.environment === 'production' && !external_id.startsWith(TEST_PREFIX))
    throw refuse.externalIdDisabled({ details: { field, reason: 'not_a_test_member' } });
  if (!isExternalId(external_id)) throw refuse.memberUnresolved({ details: { field, reason: 'external_id_unusable' } });
  return external_id;
}

export function refuseTestMember(member_external_id: string | undefined): void {
  if (member_external_id === undefined) return;
  throw invalidField('member_external_id', 'is only for people who try a tool in the dashboard', {
    reason: 'unknown_field',
  });
}

export function makeTestCaller(
  { account_id, permissions }: AccountCaller,
  project: Project,
  { member, layers }: Pick<TestCaller, 'member' | 'layers'>,
  findCurrent: () => Promise<Project>,
): TestCaller {
  const caller: TestCaller = {
    kind: 'test',
    project,
    account_id,
    api_key_id: null,
    integration_id: null,
    member,
    layers,
    permissions,
    reauthenticate: async () => ({ ...caller, project: await findCurrent() }),
  };
  return caller;
}
