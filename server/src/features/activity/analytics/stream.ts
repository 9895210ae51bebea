// Streams the calls of a project as they are written, after those that the reader has missed.

import type { ToolCallFilters } from '@toolgate/contract/analytics/tool-call.ts';
import { type Caller, type Project, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { ApiError, refuse } from '../../../errors/errors.ts';
import { type CallEvent, type Feeds, type Reader, toEvent } from './feed.ts';
import { matches } from './filters.ts';
import { type ReplayQuery, type StreamPosition, selectMissedCalls, selectPosition } from './read-store.ts';
import { type CallRow, showCall } from './tool-call.ts';

/** On one server: of a project, and of all projects with its fairness key. */
const MAX_STREAMS = { of_project: 100, of_key: 300 };
const REPLAY_PAGE = 500;
/** New calls that wait for a client. With more it is disconnected, and continues when it connects again. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Where the events go. */
export type EventSink = {
  send(text: string): void;
  /** Resolves when the client can take more, or is gone. */
  ready(): Promise<void>;
  end(): void;
  onEnd(listener: () => void): void;
  is_ended(): boolean;
};

export type StreamInput = {
  filters: ToolCallFilters;
  last_event_id: string | undefined;
  /** Throws a refusal when the credential has ended. */
  reauthorize(): Promise<void>;
  is_stopping(): boolean;
  /** Called once nothing can be refused anymore. */
  open(): EventSink;
};

export async function streamCalls(app: App, feeds: Feeds, caller: Caller, input: StreamInput): Promise<void> {
  const project = projectOf(caller);
  const { of_project, of_key } = feeds.countReaders(project);
  if (of_project >= MAX_STREAMS.of_project || of_key >= MAX_STREAMS.of_key) {
    throw refuse.limitReached({ details: { reason: 'too_many_streams' } });
  }
  const position = await findPosition(app, project, input.last_event_id);
  const { reader, begin } = createReader(input, () => feeds.leave(project.id, reader));
  const snapshot = await feeds.join(project, reader);
  const sink = input.open();
  sink.onEnd(() => feeds.leave(project.id, reader));
  begin(sink, position === undefined);
  if (position === undefined) return;
  replay(app, project, { filters: input.filters, position, snapshot, sink }).then(
    () => begin(sink, true),
    (error: unknown) => {
      if (!sink.is_ended()) app.log.warn({ err: error, project_id: project.id }, 'missed calls could not be read');
      sink.end();
    },
  );
}

/** An unknown id, or that of another project, begins with now. */
async function findPosition(
  app: App,
  project: Pick<Project, 'id' | 'fairness_key'>,
  last_event_id: string | undefined,
): Promise<StreamPosition | undefined> {
  if (last_event_id === undefined || !/^\w{1,64}$/.test(last_event_id)) return undefined;
  return app.permits.run(project, () => selectPosition(app.database, project.id, last_event_id));
}

type Replay = Pick<ReplayQuery, 'position' | 'snapshot'> & { filters: ToolCallFilters; sink: EventSink };

/** Sends what was written before the reader joined the feed, a page at a time. */
async function replay(
  app: App,
  project: Pick<Project, 'id' | 'fairness_key'>,
  { filters, position, snapshot, sink }: Replay,
): Promise<void> {
  let after: ReplayQuery['after'] = null;
  while (!sink.is_ended()) {
    const query: ReplayQuery = { position, snapshot, after, limit: REPLAY_PAGE };
    const rows: CallRow[] = await app.permits.run(project, () =>
      selectMissedCalls(app.database, project.id, filters, query),
    );
    await sendAll(
      sink,
      rows.map((row) => toEvent(showCall(row)).event),
    );
    const last = rows.at(-1);
    if (rows.length < REPLAY_PAGE || last === undefined) return;
    after = last;
  }
}

/** `begin` gives it the sink. New calls wait until `live`, and while the client does not read. */
function createReader({ filters, reauthorize, is_stopping }: StreamInput, leave: () => void) {
  let sink: EventSink | null = null;
  let is_live = false;
  let is_sending = false;
  let waiting: string[] = [];
  let waiting_bytes = 0;

  function end(): void {
    leave();
    waiting = [];
    sink?.end();
  }

  async function sendWaiting(to: EventSink): Promise<void> {
    if (is_sending) return;
    is_sending = true;
    while (waiting.length > 0 && !to.is_ended()) {
      const events = waiting;
      waiting = [];
      waiting_bytes = 0;
      await sendAll(to, events);
    }
    is_sending = false;
  }

  function onCalls(events: CallEvent[]): void {
    for (const { call, event } of events) {
      if (!matches(call, filters)) continue;
      waiting.push(event);
      waiting_bytes += event.length;
    }
    if (waiting_bytes > MAX_WAITING_BYTES) end();
    else if (is_live && sink) sendWaiting(sink).catch(end);
  }

  async function check(): Promise<void> {
    if (is_stopping()) return end();
    try {
      await reauthorize();
    } catch (error) {
      // Any other error says nothing about the credential; without the database there are no new calls either.
      if (error instanceof ApiError && error.status < 500) end();
    }
  }

  function begin(to: EventSink, live: boolean): void {
    sink = to;
    is_live = live;
    if (live) sendWaiting(to).catch(end);
  }

  return { reader: { onCalls, check, end } satisfies Reader, begin };
}

/** Waits whenever the client does not read, so that what it has not read stays small. */
async function sendAll(sink: EventSink, events: string[]): Promise<void> {
  for (const event of events) {
    if (sink.is_ended()) return;
    sink.send(event);
    await sink.ready();
  }
}
