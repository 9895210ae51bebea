// Replaces the signing key of a project, for the operator. The new key signs at once; the old one is published until the overlap ends,
// for receivers that still have tokens or a cached key set.

import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { recorderOf } from '../../activity/events/record.ts';
import { makeKey } from './signing-key.ts';
import { endCurrentKey, lockProject, selectSigningProjects } from './store.ts';

const { recordChange } = recorderOf<Record<never, never>, 'signing_key.rotated'>({});

export type RotatedKey = { project_id: string; kid: string };

/** For one project, or for all that have a key. Throws for a project that does not exist. */
export async function rotateSigningKeys(
  app: App,
  { project_id, overlap_seconds }: { project_id: string | undefined; overlap_seconds: number },
): Promise<RotatedKey[]> {
  const rotated: RotatedKey[] = [];
  for (const id of project_id === undefined ? await selectSigningProjects(app.database) : [project_id])
    rotated.push({ project_id: id, kid: await rotate(app, id, overlap_seconds) });
  return rotated;
}

async function rotate(app: App, project_id: string, overlap_seconds: number): Promise<string> {
  return transact(app, async (app) => {
    const project = await lockProject(app.database, project_id);
    if (!project) throw new Error(`there is no project ${project_id}`);
    const now = app.now();
    const ends_at = new Date(now + overlap_seconds * 1000).toISOString();
    await endCurrentKey(app.database, project_id, { now: new Date(now).toISOString(), ends_at });
    const kid = await makeKey(app, project_id);
    app.changes.add(project_id);
    const change = { type: 'signing_key.rotated' as const, target_id: kid, data: { kid, overlap_seconds } };
    await recordChange(app, 'system', change, project);
    return kid;
  });
}
