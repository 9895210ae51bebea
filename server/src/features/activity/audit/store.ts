// SQL of the audit log, except for inserting entries (append.ts).

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database } from '../../../database/tables.ts';
import type { EntryContent, Head } from './chain.ts';
import { entryColumns } from './entry.ts';

export type EntryFilter = {
  /** The id of a key or member, or a kind such as `root`. */
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  request_id?: string | undefined;
};

/** `request`: of the entries that one request made with one action, only the newest. */
export type Collapse = 'request' | undefined;

/** Whose entries: those of a project, or those of an organization that belong to no project. */
type EntryOwner = { project_id: string } | { organization_id: string };

export async function pageOfEntries(
  database: Database,
  owner: EntryOwner,
  { actor, action, target, from, to, request_id, collapse }: EntryFilter & { collapse?: Collapse },
  query: PageQuery,
) {
  const all = database
    .selectFrom('audit_entries')
    .select(entryColumns)
    .select(collapse ? countOfRequest : one);
  let entries =
    'project_id' in owner
      ? all.where('project_id', '=', owner.project_id)
      : all.where('organization_id', '=', owner.organization_id).where('project_id', 'is', null);
  if (actor !== undefined)
    entries = entries.where((is) => is.or([is('actor_id', '=', actor), is('actor_kind', '=', actor)]));
  if (action !== undefined) entries = entries.where('action', '=', action);
  if (target !== undefined) entries = entries.where('target_id', '=', target);
  if (from !== undefined) entries = entries.where('created_at', '>=', from);
  if (to !== undefined) entries = entries.where('created_at', '<', to);
  if (request_id !== undefined) entries = entries.where('request_id', '=', request_id);
  if (collapse) entries = entries.where(isNewestOfRequest);
  return readPage(entries, 'audit_entries', query);
}

const one = sql<number>`1`.as('count');

const sameRequest = sql`
  same.project_id = audit_entries.project_id and same.request_id = audit_entries.request_id and same.action = audit_entries.action`;

const countOfRequest = sql<number>`
  case when request_id is null then 1 else (select count(*)::int from audit_entries same where ${sameRequest}) end`.as(
  'count',
);

const isNewestOfRequest = sql<boolean>`not exists (
  select from audit_entries same
  where ${sameRequest} and (same.created_at, same.id) > (audit_entries.created_at, audit_entries.id))`;

export type Chain = Head & { mac: Buffer | null };

const chainColumns = ['organization_id', 'seq', 'hash', 'anchor_seq', 'anchor_hash', 'bound', 'mac'] as const;

export async function selectChains(database: Database): Promise<Chain[]> {
  return database.selectFrom('audit_chains').select(chainColumns).orderBy('organization_id').execute();
}

export async function selectChain(database: Database, organization_id: string): Promise<Chain | undefined> {
  return database
    .selectFrom('audit_chains')
    .select(chainColumns)
    .where('organization_id', '=', organization_id)
    .executeTakeFirst();
}

/** Bound entries of a project after `seq`: at most `count`, and none after the first `bytes` bytes. */
export async function selectEntriesInOrder(
  database: Database,
  project_id: string,
  seq: number,
  { count, bytes }: { count: number; bytes: number },
) {
  const sizes = sql`
    select seq, sum(size) over (order by seq rows between unbounded preceding and 1 preceding) as bytes_before from (
      select seq, coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) as size
      from audit_entries where project_id = ${project_id} and seq > ${seq} order by seq limit ${count}
    ) as next`;
  const rows = await database
    .selectFrom('audit_entries')
    .select(entryColumns)
    .where('project_id', '=', project_id)
    .where(
      sql<boolean>`seq = any(array(select seq from (${sizes}) as counted where coalesce(bytes_before, 0) < ${bytes}))`,
    )
    .orderBy('seq')
    .execute();
  const read = rows.reduce((sum, { before, after }) => sum + sizeOf(before) + sizeOf(after), 0);
  return { rows, is_complete: rows.length < count && read < bytes };
}

const sizeOf = (state: unknown) => (state === null ? 0 : Buffer.byteLength(JSON.stringify(state)));

const content = sql`id, organization_id, project_id, created_at, actor_kind, actor_id, action, target_id, ip, request_id,
  before::text, after::text`;

export type Link = EntryContent & { seq: number; hash: Buffer };

/** Links after `after_seq`, with `before` and `after` as the text that is hashed. */
export async function selectLinks(
  database: Database,
  organization_id: string,
  after_seq: number,
  limit: number,
): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select seq, hash, ${content} from audit_entries
    where organization_id = ${organization_id} and seq > ${after_seq} order by seq limit ${limit}`.execute(database);
  return rows;
}

/** Every organization that has entries. Reads the whole table: for the verifier only. */
export async function selectOrganizations(database: Database): Promise<string[]> {
  const rows = await database.selectFrom('audit_entries').select('organization_id').distinct().execute();
  return rows.map(({ organization_id }) => organization_id);
}

export async function selectUnboundOrganizations(database: Database): Promise<string[]> {
  const { rows } = await sql<{ organization_id: string }>`
    select distinct organization_id from audit_entries where seq is null`.execute(database);
  return rows.map(({ organization_id }) => organization_id);
}

/** Entries that are not bound, in the order of their ids. */
export async function pageOfUnbound(
  database: Database,
  organization_id: string,
  after_id: string,
  limit: number,
): Promise<EntryContent[]> {
  const { rows } = await sql<EntryContent>`
    select ${content} from audit_entries
    where organization_id = ${organization_id} and seq is null and id > ${after_id} order by id limit ${limit}`.execute(
    database,
  );
  return rows;
}

/** The tally of all entries ever inserted, by organization. */
export async function selectTallies(
  database: Database,
): Promise<{ organization_id: string; entries: number; mac_sum: string }[]> {
  const { rows } = await sql<{ organization_id: string; entries: number; mac_sum: string }>`
    select organization_id, sum(entries)::bigint as entries, sum(mac_sum)::text as mac_sum from audit_tallies
    group by organization_id order by organization_id`.execute(database);
  return rows;
}

/** Each connection has a row of its own, so that inserts do not wait for each other. Merges the rows of closed ones into one. */
export async function foldTallies(database: Database): Promise<void> {
  await sql`
    with closed as (
      delete from audit_tallies where backend <> 0 and backend not in (select pid from pg_stat_activity)
      returning organization_id, entries, mac_sum
    )
    insert into audit_tallies as known (organization_id, backend, entries, mac_sum)
    select organization_id, 0, sum(entries), sum(mac_sum) from closed group by organization_id order by organization_id
    on conflict (organization_id, backend) do update
      set entries = known.entries + excluded.entries, mac_sum = known.mac_sum + excluded.mac_sum`.execute(database);
}

/** The oldest unbound entries: at most `count`, and none after the first `bytes` bytes. */
export async function selectUnbound(
  database: Database,
  organization_id: string,
  { count, bytes }: { count: number; bytes: number },
): Promise<EntryContent[]> {
  const { rows } = await sql<EntryContent>`
    select ${content} from audit_entries where id in (
      select id from (
        select id, coalesce(sum(size) over (
          order by created_at, id rows between unbounded preceding and 1 preceding
        ), 0) as bytes_before
        from (
          select id, created_at, coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) as size
          from audit_entries where organization_id = ${organization_id} and seq is null
          order by created_at, id limit ${count}
        ) as oldest
      ) as counted where bytes_before < ${bytes}
    ) order by created_at, id`.execute(database);
  return rows;
}

/** Creates the chain if needed, and locks it until the transaction ends. */
export async function lockChain(database: Database, organization_id: string): Promise<Chain> {
  return database
    .insertInto('audit_chains')
    .values({ organization_id, seq: 0, hash: Buffer.alloc(32), bound: null, mac: null })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet((is) => ({ seq: is.ref('audit_chains.seq') })),
    )
    .returning(chainColumns)
    .executeTakeFirstOrThrow();
}

export async function saveHead(database: Database, { organization_id, ...head }: Chain): Promise<void> {
  await database.updateTable('audit_chains').set(head).where('organization_id', '=', organization_id).execute();
}

export async function saveLinks(
  database: Database,
  organization_id: string,
  links: { id: string; seq: number; hash: Buffer }[],
): Promise<void> {
  await sql`
    update audit_entries set seq = given.seq, hash = given.hash
    from unnest(
      ${links.map(({ id }) => id)}::text[],
      ${links.map(({ seq }) => seq)}::bigint[],
      ${links.map(({ hash }) => hash)}::bytea[]
    ) as given (id, seq, hash)
    where audit_entries.organization_id = ${organization_id} and audit_entries.id = given.id`.execute(database);
}

/** The last link of the uninterrupted run of links that are older than `before`. */
export async function selectLastBefore(
  database: Database,
  { organization_id, anchor_seq }: Chain,
  before: string,
  limit: number,
): Promise<{ seq: number; hash: Buffer } | undefined> {
  const { rows } = await sql<{ seq: number; hash: Buffer }>`
    select seq, hash from (
      select seq, hash, bool_and(created_at < ${before}::timestamptz) over (order by seq) as is_old
      from audit_entries where organization_id = ${organization_id} and seq > ${anchor_seq}
      order by seq limit ${limit}
    ) as oldest where is_old order by seq desc limit 1`.execute(database);
  return rows[0];
}

/** Deletes the oldest links, this one included. */
export async function deleteUpTo(database: Database, organization_id: string, seq: number): Promise<void> {
  await sql`select set_config('toolgate.audit_retention', 'on', true)`.execute(database);
  await sql`
    delete from audit_entries where organization_id = ${organization_id} and seq <= ${seq}`.execute(database);
  await sql`select set_config('toolgate.audit_retention', 'off', true)`.execute(database);
}
