// The search index of a project: built when it is first searched, and again only when a text of its tools has changed. A change of
// anything else, or 30 seconds, costs one query, which compares fingerprints.

import { setImmediate as othersFirst } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { type SearchIndex, startIndex } from './bm25.ts';
import { selectFingerprint, selectTexts } from './store.ts';

const MAX_BYTES = 64 * 2 ** 20;
const UNUSED_MS = 10 * 60_000;
/** What is read at once, and put into the index without a pause: some milliseconds. */
const PAGE = 200;

export type ProjectIndex = {
  fingerprint: string;
  index: SearchIndex;
  /** The id of each document. */
  tool_ids: string[];
};

const createIndexes = () => ({
  /** It holds names and words of descriptions, no secret, so it may outlive a change until the next search. */
  kept: new LRUCache<string, ProjectIndex>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ index, tool_ids }) => index.bytes + 100 * tool_ids.length + 100,
    ttl: UNUSED_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  }),
  /** By project and fingerprint: searches at the same time share one. */
  building: new Map<string, Promise<ProjectIndex>>(),
});

/** The index with this fingerprint, while it is kept. */
export function keptIndex(app: App, project_id: string, fingerprint: string): ProjectIndex | null {
  const known = app.stateOf(createIndexes).kept.get(project_id);
  return known?.fingerprint === fingerprint ? known : null;
}

export async function findProjectIndex(app: App, project: Pick<Project, 'id' | 'fairness_key'>): Promise<ProjectIndex> {
  const fingerprint = await app.permits.run(project, () => selectFingerprint(app.database, project.id));
  const known = keptIndex(app, project.id, fingerprint);
  if (known) return known;
  const key = `${project.id} ${fingerprint}`;
  const { building } = app.stateOf(createIndexes);
  const started = building.get(key) ?? build(app, project, fingerprint).finally(() => building.delete(key));
  building.set(key, started);
  return started;
}

async function build(
  app: App,
  project: Pick<Project, 'id' | 'fairness_key'>,
  fingerprint: string,
): Promise<ProjectIndex> {
  const builder = startIndex();
  const tool_ids: string[] = [];
  for (let isLast = false; !isLast; ) {
    // The permit is given back in between: building takes longer than reading.
    const rows = await app.permits.run(project, () =>
      selectTexts(app.database, project.id, tool_ids.at(-1) ?? '', PAGE),
    );
    for (const { id, name, title, description, arguments: names, tags } of rows) {
      tool_ids.push(id);
      builder.add({
        name,
        title: title ?? '',
        description: description ?? '',
        arguments: names.join(' '),
        tags: tags.join(' '),
      });
    }
    isLast = rows.length < PAGE;
    await othersFirst();
  }
  // A tool that changed meanwhile has another fingerprint, so the next search builds again.
  const built = { fingerprint, index: await builder.finish(othersFirst), tool_ids };
  app.stateOf(createIndexes).kept.set(project.id, built);
  return built;
}
