// PostgreSQL's own pg_dump and pg_restore, where they are installed and new enough for the server.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Environment } from '../config/read.ts';
import type { Connection } from '../database/connection.ts';

const MAX_MESSAGE_CHARACTERS = 2_000;

/** Whole database, without what belongs to its installation. Not compressed: the file of the backup is. */
const DUMP = ['--format=custom', '--compress=0', '--no-owner', '--no-privileges'];
const RESTORE = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction'];

/** The major version of the program; null if it is not installed. */
export async function majorVersionOf(
  program: 'pg_dump' | 'pg_restore',
  environment: Environment,
): Promise<number | null> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], { env: environment });
    const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
    return major === undefined ? null : Number(major);
  } catch {
    return null;
  }
}

/** The archive. The stream fails if pg_dump does. */
export function runPgDump(connection: Connection, environment: Environment): Readable {
  const { args, secret } = connectionArguments(connection);
  const env = withPassword(environment, secret);
  const child = spawn('pg_dump', [...DUMP, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = resultOf(child, 'pg_dump');
  const output = new PassThrough();
  // The end of the archive is passed on only after pg_dump has succeeded.
  child.stdout.pipe(output, { end: false });
  ended.then(
    () => output.end(),
    (error: Error) =>
      output.destroy(new Error(`${error.message}; with --logical, pg_dump is not needed`, { cause: error })),
  );
  return output;
}

export async function runPgRestore(connection: Connection, environment: Environment, archive: Readable): Promise<void> {
  const { args, secret } = connectionArguments(connection);
  const env = withPassword(environment, secret);
  const child = spawn('pg_restore', [...RESTORE, ...args], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  const ended = resultOf(child, 'pg_restore');
  // When pg_restore ends early its message is the one to report, not that its input was closed.
  const fed = pipeline(archive, child.stdin).catch(() => {});
  await ended;
  await fed;
}

const withPassword = (environment: Environment, secret: string): Environment =>
  secret ? { ...environment, PGPASSWORD: secret } : environment;

async function resultOf(child: ReturnType<typeof spawn>, program: string): Promise<void> {
  let message = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    if (message.length < MAX_MESSAGE_CHARACTERS) message += part;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} failed: ${message.trim() || `exit code ${code}`}`);
}

/** The password is not an argument: every user of the machine sees those. */
function connectionArguments({ connectionString, host, port, user, password, database }: Connection) {
  if (connectionString === undefined) {
    const args = [`--host=${host}`, `--port=${port}`, `--username=${user}`, `--dbname=${database}`];
    return { args: ['--no-password', ...args], secret: String(password ?? '') };
  }
  const [, before = '', secret = '', after = ''] =
    /^(\w+:\/\/[^:@/?#]*):([^@/?#]*)(@.*)$/s.exec(connectionString) ?? [];
  const dbname = before === '' ? connectionString : before + after;
  return { args: ['--no-password', `--dbname=${dbname}`], secret: decodeURIComponent(secret) };
}
