// The open streams of subscriptions/listen in this process. That a project changed is known from the notifications that invalidate
// the cache: only then is it checked which streams have ended with their credential, and whose list of tools is another.

import type { TokenCaller } from '../access/caller.ts';
import type { EventStream } from '../api/event-stream.ts';
import type { App } from '../app.ts';
import { ApiError, refuse } from '../errors/errors.ts';
import { findListHash } from './list-hash.ts';

/** In one process: of a credential, and of all projects with one fairness key. */
const MAX_STREAMS = { of_credential: 4, of_fairness_key: 2_000 };
/** Changes that follow each other closely are one notification. */
const CHECK_AFTER_MS = 200;
/** A project that changes all the time is checked once a second. */
const CHECK_EVERY_MS = 1_000;
const CHECK_STOPPING_EVERY_MS = 250;
/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type Listener = {
  caller: TokenCaller;
  /** For the list that the client knows; null until it is loaded. */
  hash: string | null;
  /** Null until the response has begun. */
  stream: EventStream | null;
  /** The texts of its notification, if it asked for the list of tools, and of its last message. */
  changed: string | null;
  ended: string;
  expiry: NodeJS.Timeout | undefined;
};

/** `timer`: until its check has ended. `is_outdated`: it changed again since the check began. */
type Watched = { listeners: Set<Listener>; checked_at: number; timer: NodeJS.Timeout | null; is_outdated: boolean };

type State = { app: App; projects: Map<string, Watched>; isStopping(): boolean; stop_timer: NodeJS.Timeout | null };

export type Listeners = {
  /** Throws 429 if the credential has as many as it may. The list that is loaded now is the one that the client knows. */
  join(caller: TokenCaller, texts: Pick<Listener, 'changed' | 'ended'>): Promise<Listener>;
  /** Sends to the stream from now on. */
  begin(listener: Listener, stream: EventStream): void;
};

export function createListeners(app: App, isStopping: () => boolean): Listeners {
  const state: State = { app, projects: new Map(), isStopping, stop_timer: null };
  app.cache.onChange((project_id) => {
    for (const id of project_id === null ? state.projects.keys() : [project_id]) checkSoon(state, id);
  });
  return {
    async join(caller, texts) {
      refuseTooMany(state, caller);
      const listener: Listener = { caller, hash: null, stream: null, expiry: undefined, ...texts };
      enter(state, listener);
      try {
        if (texts.changed !== null) listener.hash = await findListHash(app, caller);
      } catch (error) {
        leave(state, listener);
        throw error;
      }
      return listener;
    },
    begin(listener, stream) {
      listener.stream = stream;
      stream.onEnd(() => leave(state, listener));
      // What changed while its list was loaded.
      checkSoon(state, listener.caller.project.id);
      checkAtExpiry(state, listener);
    },
  };
}

function refuseTooMany({ projects }: State, caller: TokenCaller): void {
  let of_credential = 0;
  let of_fairness_key = 0;
  for (const { listeners } of projects.values())
    for (const listener of listeners) {
      if (listener.caller.project.fairness_key === caller.project.fairness_key) of_fairness_key += 1;
      if (credentialOf(listener.caller) === credentialOf(caller)) of_credential += 1;
    }
  if (of_credential >= MAX_STREAMS.of_credential || of_fairness_key >= MAX_STREAMS.of_fairness_key)
    throw refuse.tooManyStreams({ headers: { 'retry-after': '60' } });
}

const credentialOf = (caller: TokenCaller) => (caller.kind === 'api_key' ? caller.api_key_id : caller.session_id);

function enter(state: State, listener: Listener): void {
  const { id } = listener.caller.project;
  const watched: Watched = state.projects.get(id) ?? {
    listeners: new Set(),
    checked_at: 0,
    timer: null,
    is_outdated: false,
  };
  state.projects.set(id, watched);
  watched.listeners.add(listener);
  state.stop_timer ??= setInterval(() => endIfStopping(state), CHECK_STOPPING_EVERY_MS).unref();
}

function leave(state: State, listener: Listener): void {
  const { id } = listener.caller.project;
  const watched = state.projects.get(id);
  clearTimeout(listener.expiry);
  watched?.listeners.delete(listener);
  if (watched?.listeners.size === 0) state.projects.delete(id);
  if (state.projects.size > 0 || !state.stop_timer) return;
  clearInterval(state.stop_timer);
  state.stop_timer = null;
}

function end(state: State, listener: Listener): void {
  leave(state, listener);
  listener.stream?.send(listener.ended);
  listener.stream?.end();
}

function endIfStopping(state: State): void {
  if (!state.isStopping()) return;
  for (const { listeners } of [...state.projects.values()]) for (const listener of [...listeners]) end(state, listener);
}

/** One check of a project at a time: it may take long, and an older one must not end after a newer one. */
function checkSoon(state: State, project_id: string): void {
  const watched = state.projects.get(project_id);
  if (!watched) return;
  watched.is_outdated = true;
  if (watched.timer) return;
  const wait_ms = Math.max(CHECK_AFTER_MS, watched.checked_at + CHECK_EVERY_MS - performance.now());
  watched.timer = setTimeout(() => void checkNow(state, project_id, watched), wait_ms).unref();
}

async function checkNow(state: State, project_id: string, watched: Watched): Promise<void> {
  watched.checked_at = performance.now();
  watched.is_outdated = false;
  try {
    await checkAll(state, watched);
  } catch (error) {
    // Without the database nothing is known of the credentials. Nothing was sent, so nothing is lost: it is checked again.
    state.app.log.debug({ err: error, project_id }, 'streams of changes could not be checked');
    watched.is_outdated = true;
  }
  watched.timer = null;
  if (watched.is_outdated) checkSoon(state, project_id);
}

/** One after the other: callers with the same layers share what is loaded. */
async function checkAll(state: State, { listeners }: Watched): Promise<void> {
  for (const listener of listeners) if (listener.stream) await check(state, listener, listener.stream);
}

async function check(state: State, listener: Listener, stream: EventStream): Promise<void> {
  const { expires_at } = listener.caller;
  try {
    listener.caller = await listener.caller.reauthenticate();
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return end(state, listener);
    throw error;
  }
  // A key that is rotated with an overlap expires from then on.
  if (listener.caller.expires_at !== expires_at) checkAtExpiry(state, listener);
  if (listener.changed === null) return;
  const hash = await findListHash(state.app, listener.caller);
  if (hash === listener.hash) return;
  listener.hash = hash;
  stream.send(listener.changed);
}

/** A credential that expires ends without a change. */
function checkAtExpiry(state: State, listener: Listener): void {
  clearTimeout(listener.expiry);
  const { expires_at, project } = listener.caller;
  if (expires_at === null || !state.projects.get(project.id)?.listeners.has(listener)) return;
  const left_ms = Math.max(0, Date.parse(expires_at) - state.app.now());
  const wait_ms = Math.min(left_ms + CHECK_EVERY_MS, LONGEST_TIMER_MS);
  listener.expiry = setTimeout(() => {
    checkSoon(state, project.id);
    checkAtExpiry(state, listener);
  }, wait_ms).unref();
}
