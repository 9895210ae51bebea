// SQL of the audit log, for reading and for its end by age; append.ts writes it.

import { sql } from 'kysely';
import { type PageQuery, readPage } from '../../database/page.ts';
import type { Database } from '../../database/tables.ts';
import type { EntryContent } from './chain.ts';
import { entryColumns } from './entry.ts';

export type EntryFilter = {
  /** The id of a key or member, or a kind such as `root`. */
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

export async function pageOfEntries(database: Database, project_id: string, filter: EntryFilter, query: PageQuery) {
  const { actor, action, target, from, to } = filter;
  let entries = database.selectFrom('audit_entries').select(entryColumns).where('project_id', '=', project_id);
  if (actor !== undefined)
    entries = entries.where((is) => is.or([is('actor_id', '=', actor), is('actor_kind', '=', actor)]));
  if (action !== undefined) entries = entries.where('action', '=', action);
  if (target !== undefined) entries = entries.where('target_id', '=', target);
  if (from !== undefined) entries = entries.where('created_at', '>=', from);
  if (to !== undefined) entries = entries.where('created_at', '<', to);
  return readPage(entries, 'audit_entries', query);
}

export type Chain = { organization_id: string; seq: number; hash: Buffer; anchor_seq: number; anchor_hash: Buffer };

export async function selectChains(database: Database): Promise<Chain[]> {
  return database
    .selectFrom('audit_chains')
    .select(['organization_id', 'seq', 'hash', 'anchor_seq', 'anchor_hash'])
    .orderBy('organization_id')
    .execute();
}

const content = sql`id, organization_id, project_id, created_at, actor_kind, actor_id, action, target_id, ip, request_id,
  before::text, after::text`;

export type Link = EntryContent & { seq: number; hash: Buffer };

/** The next links behind `after_seq`, with `before` and `after` as the very text that is hashed. */
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

export async function selectUnboundOrganizations(database: Database): Promise<string[]> {
  const { rows } = await sql<{ organization_id: string }>`
    select distinct organization_id from audit_entries where seq is null`.execute(database);
  return rows.map(({ organization_id }) => organization_id);
}

export async function countUnbound(database: Database, organization_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from audit_entries where organization_id = ${organization_id} and seq is null`.execute(
    database,
  );
  return rows[0]?.count ?? 0;
}

/** The oldest ones: so many, and none once those before it have so many bytes. */
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

/** The end of the chain, which nobody else can lengthen until the transaction ends. */
export async function lockChain(database: Database, organization_id: string): Promise<Pick<Chain, 'seq' | 'hash'>> {
  const { rows } = await sql<Pick<Chain, 'seq' | 'hash'>>`
    insert into audit_chains (organization_id, seq, hash)
    values (${organization_id}, 0, decode(repeat('00', 32), 'hex'))
    on conflict (organization_id) do update set seq = audit_chains.seq
    returning seq, hash`.execute(database);
  return rows[0] as Pick<Chain, 'seq' | 'hash'>;
}

export async function saveLinks(
  database: Database,
  organization_id: string,
  links: { id: string; seq: number; hash: Buffer }[],
): Promise<void> {
  const last = links.at(-1);
  await sql`
    with given as (
      select * from unnest(
        ${links.map(({ id }) => id)}::text[],
        ${links.map(({ seq }) => seq)}::bigint[],
        ${links.map(({ hash }) => hash)}::bytea[]
      ) as given (id, seq, hash)
    ), head as (
      update audit_chains set seq = ${last?.seq}, hash = ${last?.hash} where organization_id = ${organization_id}
    )
    update audit_entries set seq = given.seq, hash = given.hash from given where audit_entries.id = given.id`.execute(
    database,
  );
}

/** The end of what is too old: the entry before the first one young enough. */
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

/** Takes away the oldest links up to this one and remembers its hash, so that the rest still has a beginning. */
export async function removeUpTo(
  database: Database,
  organization_id: string,
  { seq, hash }: { seq: number; hash: Buffer },
): Promise<void> {
  await sql`select set_config('toolgate.audit_retention', 'on', true)`.execute(database);
  await sql`
    with anchor as (
      update audit_chains set anchor_seq = ${seq}, anchor_hash = ${hash} where organization_id = ${organization_id}
    )
    delete from audit_entries where organization_id = ${organization_id} and seq <= ${seq}`.execute(database);
  await sql`select set_config('toolgate.audit_retention', 'off', true)`.execute(database);
}
