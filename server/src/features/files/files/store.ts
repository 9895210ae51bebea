// SQL of files and their parts. An upload is a row without uploaded_at, which nobody sees.

import { sql } from 'kysely';
import type { Database, Row } from '../../../database/tables.ts';

export type FileRow = Row<'files'>;

const columns = [
  'id',
  'bytes_id',
  'project_id',
  'owner_id',
  'member_id',
  'fairness_key',
  'name',
  'content_type',
  'storage',
  'part_bytes',
  'parts',
  'reserved_bytes',
  'size',
  'sha256',
  'uploaded_at',
  'created_at',
  'expires_at',
] as const;

const timeOf = (now: number) => new Date(now).toISOString();

const stored = (database: Database, now: number) =>
  database
    .selectFrom('files')
    .select(columns)
    .where('uploaded_at', 'is not', null)
    .where('expires_at', '>', timeOf(now));

/** Undefined from the moment on at which it expires. */
export const selectFile = (database: Database, project_id: string, id: string, now: number) =>
  stored(database, now).where('project_id', '=', project_id).where('id', '=', id).executeTakeFirst();

/** By the id alone, which is random: the link names no project. */
export const selectLinkedFile = (database: Database, id: string, now: number) =>
  stored(database, now)
    .innerJoin('projects', 'projects.id', 'files.project_id')
    .where('projects.deleted_at', 'is', null)
    .where('files.id', '=', id)
    .clearSelect()
    .select(columns.map((column) => `files.${column}` as const))
    .executeTakeFirst();

export const insertUpload = (
  database: Database,
  upload: Omit<FileRow, 'size' | 'parts' | 'sha256' | 'uploaded_at' | 'created_at'>,
) => database.insertInto('files').values(upload).returning(columns).executeTakeFirstOrThrow();

type Progress = { parts: number; written: number; expires_at: string };

const ofUpload = (database: Database, { project_id, id }: FileRow, now: number) =>
  database
    .updateTable('files')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('uploaded_at', 'is', null)
    .where('expires_at', '>', timeOf(now));

/** Returns whether the upload still exists. */
export async function updateUpload(
  database: Database,
  upload: FileRow,
  { parts, written, expires_at }: Progress,
  now: number,
): Promise<boolean> {
  const row = await ofUpload(database, upload, now)
    .set({ parts, expires_at, reserved_bytes: sql`greatest(reserved_bytes, ${written})` })
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export const finishUpload = (
  database: Database,
  upload: FileRow,
  { id, size, sha256, expires_at }: { id: string; size: number; sha256: string; expires_at: string },
  now: number,
) =>
  ofUpload(database, upload, now)
    .set({ id, size, sha256, reserved_bytes: size, uploaded_at: timeOf(now), expires_at })
    .returning(columns)
    .executeTakeFirst();

export const insertPart = (database: Database, part: Row<'file_parts'>) =>
  database.insertInto('file_parts').values(part).execute();

/** Undefined once the file has expired or was deleted. */
export async function selectPart(
  database: Database,
  { project_id, id }: Pick<FileRow, 'project_id' | 'id'>,
  position: number,
  now: number,
): Promise<Buffer | undefined> {
  const row = await stored(database, now)
    .innerJoin('file_parts', (join) =>
      join.onRef('file_parts.file_id', '=', 'files.id').onRef('file_parts.project_id', '=', 'files.project_id'),
    )
    .where('files.project_id', '=', project_id)
    .where('files.id', '=', id)
    .where('file_parts.position', '=', position)
    .clearSelect()
    .select('file_parts.data')
    .executeTakeFirst();
  return row?.data;
}

/** Its parts follow by their foreign key, and its objects by a job. Returns whether there was one. */
export async function deleteFileRow(database: Database, project_id: string, id: string): Promise<boolean> {
  const row = await database
    .deleteFrom('files')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export const extendFiles = (
  database: Database,
  project_id: string,
  ids: readonly string[],
  until: string,
  now: number,
) =>
  database
    .updateTable('files')
    .set({ expires_at: sql`greatest(expires_at, ${until}::timestamptz)` })
    .where('project_id', '=', project_id)
    .where('id', 'in', ids)
    .where('uploaded_at', 'is not', null)
    .where('expires_at', '>', timeOf(now))
    .execute();

/** What the subjects use beyond what they may; the transaction holds the rows of those that it has added to. */
export const selectExceeded = (database: Database, quotas: readonly { subject: string; max_bytes: number }[]) =>
  database
    .selectFrom('file_usage')
    .select('subject')
    .where((of) => of.or(quotas.map(({ subject, max_bytes }) => of.and({ subject }).and('bytes', '>', max_bytes))))
    .execute();

export type DeletedFile = Pick<Row<'deleted_file_objects'>, 'file_id' | 'fairness_key' | 'parts' | 'failures'>;

/** Of all projects: a job reads them. */
export const selectDeletedFiles = (database: Database, limit: number, now: number): Promise<DeletedFile[]> =>
  database
    .selectFrom('deleted_file_objects')
    .select(['file_id', 'fairness_key', 'parts', 'failures'])
    .where('try_at', '<=', timeOf(now))
    .orderBy('try_at')
    .limit(limit)
    .execute();

export const deleteDeletedFile = (database: Database, file_id: string) =>
  database.deleteFrom('deleted_file_objects').where('file_id', '=', file_id).execute();

export const postponeDeletedFile = (database: Database, file_id: string, try_at: string) =>
  database
    .updateTable('deleted_file_objects')
    .set({ try_at, failures: sql`failures + 1` })
    .where('file_id', '=', file_id)
    .execute();
