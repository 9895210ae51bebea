// The cache of everything that belongs to a project: callers, prepared tools, data keys, access tokens. A change to a project
// removes its entries from memory, so no opened secret outlives it. No entry that may hold a secret is older than 30 s, no other
// older than 10 minutes, and none is used when it is not known that the notifications of changes until just now have arrived.
// docs/design/replicas.md explains why.

import { LRUCache } from 'lru-cache';
import { estimateSize } from './estimate-size.ts';

/** `plain` is what holds no secret: 100,000 keys and 10,000 tools in use fit into it. */
const MAX_BYTES = { secret: 96 * 2 ** 20, plain: 160 * 2 ** 20 };
const MAX_AGE_MS = 30_000;
/** For what holds no secret. A change removes it at once; the limit is for changes that were made past this program, by hand. */
const MAX_AGE_WITHOUT_SECRET_MS = 10 * 60_000;
/** What an entry takes besides its value: its object, and its places in the maps. */
const ENTRY_BYTES = 300;
/** Expired entries that may hold a secret are removed by a timer. */
const EXPIRE_EVERY_MS = 10_000;
/** A change must be refused within a second. A connection that hangs shows only in the missing response, so trust ends by time. */
const TRUST_MS = 900;

type Entry = { name: string; has_secret: boolean; project_id: string; value: object; bytes: number; ends_at: number };
type Loaded<T> = {
  project_id: string;
  value: T;
  /** For values whose size estimateSize() cannot see. */
  bytes?: number;
  /** False: nothing in it is a secret, so that it is kept for longer. */
  has_secret?: boolean;
  /** What was loaded with it, of the same project and without a secret: an entry of its own. */
  other?: { kind: string; id: string; value: object } | undefined;
};
type Load<T> = () => Promise<Loaded<T> | null>;
type RunningLoad = { changed_projects: Set<string>; started_at: number };

export type Cache = {
  get<T extends object>(kind: string, id: string): T | undefined;
  /**
   * Caches what `load` returns, unless its project changes during the load. Concurrent callers share one load. With
   * `share: false` each runs its own: a caller that holds a connection must not wait for one that has none yet.
   */
  getOrLoad<T extends object>(
    kind: string,
    id: string,
    load: Load<T>,
    options?: { share?: boolean },
  ): Promise<T | null>;
  delete(kind: string, id: string): void;
  /** Removes every entry of the project. */
  invalidate(project_id: string): void;
  /** Removes every entry. After `false` nothing is cached until `true`. */
  setTrusted(trusted: boolean): void;
  /** The notifications of all changes before this moment have arrived: entries may be used for some time from then. */
  trustFrom(moment: number): void;
  /** Called after entries of a project were removed, because it changed; null: any project may have changed. */
  onChange(listener: (project_id: string | null) => void): void;
  /** A miss is a lookup that had to load. */
  statistics(): { hits: number; misses: number; entries: number; bytes: number };
};

/** `now` is a monotonic clock in milliseconds. */
export function createCache(now: () => number = () => performance.now(), max_bytes = MAX_BYTES): Cache {
  const entries = createEntries(max_bytes);
  const shared = new Map<string, Promise<object | null>>();
  const running = new Set<RunningLoad>();
  const listeners: ((project_id: string | null) => void)[] = [];
  let isTrusted = true;
  // Without notifications, as in commands, only the age counts.
  let trusted_until = Number.POSITIVE_INFINITY;
  let hits = 0;
  let misses = 0;
  setInterval(() => entries.removeOld(isExpired), EXPIRE_EVERY_MS).unref();

  /** True for an entry that would be too old before the timer runs again. */
  const isExpired = (ends_at: number) => now() > ends_at - EXPIRE_EVERY_MS;

  async function runLoad(key: string, load: Load<object>): Promise<object | null> {
    const current: RunningLoad = { changed_projects: new Set(), started_at: now() };
    running.add(current);
    try {
      const loaded = await load();
      if (!loaded) return null;
      const { project_id, value } = loaded;
      const isCurrent = running.has(current) && !current.changed_projects.has(project_id);
      if (isTrusted && isCurrent)
        for (const entry of entriesOf(key, loaded, current.started_at))
          if (!isExpired(entry.ends_at)) entries.store(entry);
      return value;
    } finally {
      running.delete(current);
    }
  }

  async function shareLoad(key: string, load: Load<object>): Promise<object | null> {
    const started = shared.get(key);
    if (started && now() < trusted_until) return started;
    const mine = runLoad(key, load);
    shared.set(key, mine);
    try {
      return await mine;
    } finally {
      if (shared.get(key) === mine) shared.delete(key);
    }
  }

  function find(key: string): object | undefined {
    const time = now();
    const entry = time < trusted_until ? entries.get(key, time) : undefined;
    if (entry !== undefined) hits += 1;
    return entry?.value;
  }

  return {
    get: <T extends object>(kind: string, id: string) => find(keyOf(kind, id)) as T | undefined,
    async getOrLoad<T extends object>(kind: string, id: string, load: Load<T>, { share = true } = {}) {
      const key = keyOf(kind, id);
      const cached = find(key);
      if (cached !== undefined) return cached as T;
      misses += 1;
      return (await (share ? shareLoad(key, load) : runLoad(key, load))) as T | null;
    },
    delete: (kind, id) => entries.delete(keyOf(kind, id)),
    invalidate(project_id) {
      // A load that started before the change may return what was true before it: later callers must not share it.
      shared.clear();
      for (const load of running) load.changed_projects.add(project_id);
      entries.deleteProject(project_id);
      for (const listener of listeners) listener(project_id);
    },
    setTrusted(trusted) {
      isTrusted = trusted;
      entries.clear();
      shared.clear();
      running.clear();
      if (trusted) for (const listener of listeners) listener(null);
    },
    onChange: (listener) => void listeners.push(listener),
    trustFrom(moment) {
      trusted_until = moment + TRUST_MS;
    },
    statistics: () => ({ hits, misses, ...entries.totals() }),
  };
}

function entriesOf(name: string, { other, ...loaded }: Loaded<object>, loaded_at: number): Entry[] {
  const { project_id, value, has_secret = true } = loaded;
  const bytes = (loaded.bytes ?? estimateSize(value)) + estimateSize(name) + ENTRY_BYTES;
  const ends_at = loaded_at + (has_secret ? MAX_AGE_MS : MAX_AGE_WITHOUT_SECRET_MS);
  const own = { name, has_secret, project_id, value, bytes, ends_at };
  if (!other) return [own];
  return [own, ...entriesOf(keyOf(other.kind, other.id), { ...other, project_id, has_secret: false }, loaded_at)];
}

/** In two parts, so that what is soon removed anyway, such as large prepared tools, does not evict what they are prepared from. */
function createEntries(max_bytes: typeof MAX_BYTES) {
  const [secret, plain] = [createPart(max_bytes.secret), createPart(max_bytes.plain)];
  const parts = [secret, plain];
  return {
    get(name: string, time: number) {
      const entry = secret.entries.get(name) ?? plain.entries.get(name);
      return entry !== undefined && time <= entry.ends_at ? entry : undefined;
    },
    store: (entry: Entry) => (entry.has_secret ? secret : plain).store(entry),
    delete(name: string) {
      for (const { entries } of parts) entries.delete(name);
    },
    deleteProject(project_id: string) {
      for (const part of parts) part.deleteProject(project_id);
    },
    clear() {
      for (const { entries } of parts) entries.clear();
    },
    /**
     * Removed, not only marked: an entry that is never read again may hold a secret. The others, of which there may be very many, are not
     * looked through: their age is checked when they are read, and newer ones evict them.
     */
    removeOld(isExpired: (ends_at: number) => boolean) {
      const old = [];
      for (const [name, { ends_at }] of secret.entries.entries()) if (isExpired(ends_at)) old.push(name);
      for (const name of old) secret.entries.delete(name);
    },
    totals: () => ({
      entries: secret.entries.size + plain.entries.size,
      bytes: secret.entries.calculatedSize + plain.entries.calculatedSize,
    }),
  };
}

/** The entries, and the names of those of each project. */
function createPart(max_bytes: number) {
  const namesOfProject = new Map<string, Set<string>>();
  // Without `max`, for which lru-cache would allocate all of its arrays at the start.
  const entries = new LRUCache<string, Entry>({
    maxSize: max_bytes,
    sizeCalculation: ({ bytes }) => bytes,
    dispose: ({ project_id }, name) => removeFromIndex(project_id, name),
  });

  function removeFromIndex(project_id: string, name: string): void {
    const names = namesOfProject.get(project_id);
    names?.delete(name);
    if (names?.size === 0) namesOfProject.delete(project_id);
  }

  function store(entry: Entry): void {
    const { name, project_id } = entry;
    entries.set(name, entry);
    if (entries.peek(name) !== entry) return; // larger than the whole cache
    const names = namesOfProject.get(project_id);
    if (names) names.add(name);
    else namesOfProject.set(project_id, new Set([name]));
  }

  function deleteProject(project_id: string): void {
    for (const name of [...(namesOfProject.get(project_id) ?? [])]) entries.delete(name);
  }

  return { entries, store, deleteProject };
}

const keyOf = (kind: string, id: string) => `${kind} ${id}`;
