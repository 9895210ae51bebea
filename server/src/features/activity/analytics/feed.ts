// The new calls of a project, read from the table, so that the calls of every server are seen. One poll serves all readers of a
// project on this server; a project without readers is not polled.

import type { ToolCallEntry } from '@toolgate/contract/analytics/tool-call.ts';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { isDatabaseBusy } from '../../../database/connection.ts';
import { ApiError } from '../../../errors/errors.ts';
import { currentSnapshot, selectNewCalls } from './read-store.ts';
import { showCall } from './tool-call.ts';

const POLL_EVERY_MS = 500;
/** A project with very many calls is polled less often, so that it uses only a part of one connection. */
const MAX_SHARE_OF_CONNECTION = 0.1;

/** A call with its event as text, which is the same for every reader. */
export type CallEvent = { call: ToolCallEntry; event: string };

export type Reader = {
  onCalls(events: CallEvent[]): void;
  /** Called at every poll, before `onCalls`. A reader that may no longer read leaves the feed. */
  check(): Promise<void>;
  end(): void;
};

type Feed = {
  project: Pick<Project, 'id' | 'fairness_key'>;
  readers: Set<Reader>;
  /** What the readers have been given, as `pg_snapshot` text; null until it is loaded. */
  snapshot: string | null;
  loading: Promise<void>;
};

export type Feeds = ReturnType<typeof createFeeds>;

export function createFeeds(app: App) {
  const feeds = new Map<string, Feed>();

  function start(project: Feed['project']): Feed {
    const feed: Feed = { project, readers: new Set(), snapshot: null, loading: Promise.resolve() };
    feed.loading = app.permits
      .run(project, () => currentSnapshot(app.database))
      .then((snapshot) => {
        feed.snapshot = snapshot;
        pollWhileRead(app, feed).catch((error: unknown) => {
          app.log.error({ err: error, project_id: project.id }, 'the stream of calls failed');
          for (const reader of [...feed.readers]) reader.end();
        });
      });
    feeds.set(project.id, feed);
    return feed;
  }

  /** The reader gets every call that is not visible in the returned snapshot, once it is written. */
  async function join(project: Feed['project'], reader: Reader): Promise<string> {
    const feed = feeds.get(project.id) ?? start(project);
    feed.readers.add(reader);
    try {
      if (feed.snapshot === null) await feed.loading;
    } catch (error) {
      leave(project.id, reader);
      throw error;
    }
    return feed.snapshot as unknown as string;
  }

  function leave(project_id: string, reader: Reader): void {
    const feed = feeds.get(project_id);
    feed?.readers.delete(reader);
    if (feed?.readers.size === 0) feeds.delete(project_id);
  }

  /** The readers of the project, and those of all projects with its fairness key. */
  function countReaders({ id, fairness_key }: Feed['project']): { of_project: number; of_key: number } {
    let of_key = 0;
    for (const { project, readers } of feeds.values())
      if (project.fairness_key === fairness_key) of_key += readers.size;
    return { of_project: feeds.get(id)?.readers.size ?? 0, of_key };
  }

  return { join, leave, countReaders };
}

async function pollWhileRead(app: App, feed: Feed): Promise<void> {
  for (let wait_ms = POLL_EVERY_MS; ; ) {
    await new Promise((resolve) => setTimeout(resolve, wait_ms).unref());
    if (feed.readers.size === 0) return;
    const began = performance.now();
    await Promise.all([...feed.readers].map((reader) => reader.check()));
    if (feed.readers.size > 0 && app.isUp()) await poll(app, feed);
    wait_ms = Math.max(POLL_EVERY_MS, (performance.now() - began) / MAX_SHARE_OF_CONNECTION);
  }
}

async function poll(app: App, feed: Feed): Promise<void> {
  const { project } = feed;
  try {
    const { calls, snapshot } = await app.permits.run(project, () =>
      selectNewCalls(app.database, project.id, feed.snapshot as string, app.now()),
    );
    const events = calls.map((row) => toEvent(showCall(row)));
    // Together, so that a reader that joins gets either the snapshot before and these calls, or the one after.
    feed.snapshot = snapshot;
    for (const reader of [...feed.readers]) reader.onCalls(events);
  } catch (error) {
    // The next poll finds these calls too.
    if (!isDatabaseBusy(error) && !(error instanceof ApiError)) throw error;
  }
}

export function toEvent(call: ToolCallEntry): CallEvent {
  return { call, event: `event: tool_call\nid: ${call.id}\ndata: ${JSON.stringify(call)}\n\n` };
}
