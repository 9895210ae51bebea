// The client of a command, from the global options or the context.environment.

import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Toolgate } from '../../sdk/src/index.ts';
import { findServer } from '../../server/src/config/running-server.ts';
import type { Context } from './context.ts';
import { Failure, UsageError } from './failure.ts';

type GlobalOptions = { url?: string; key?: string; project?: string };

export type Connection = { url: string; key: string; project: string | undefined };

/** An option of the command line comes before the variable. An empty variable is one that is not set. */
export function connectionOf(context: Context, command: CommandUnknownOpts): Connection {
  const given: GlobalOptions = command.optsWithGlobals();
  const key = given.key ?? (context.environment.TOOLGATE_API_KEY || undefined);
  if (key === undefined) throw new UsageError('There is no API key: set TOOLGATE_API_KEY or --key.');
  return {
    url: addressOf(context, command),
    key,
    project: given.project ?? (context.environment.TOOLGATE_PROJECT || undefined),
  };
}

/** Where toolgate is served: by default the server that was started in this folder, or else where one listens that has no settings. */
export function addressOf(context: Context, command: CommandUnknownOpts): string {
  const given: GlobalOptions = command.optsWithGlobals();
  return given.url ?? (context.environment.TOOLGATE_URL || urlOfFolder(context));
}

const urlOfFolder = (context: Context) =>
  findServer(context.environment.TOOLGATE_DATA_DIR || 'data')?.listen_url ?? 'http://127.0.0.1:3000';

export function connect({ url, key, project }: Connection, timeoutMs?: number): Toolgate {
  try {
    return new Toolgate({ apiKey: key, baseUrl: url, projectId: project, timeoutMs });
  } catch (error) {
    // The words are those of the SDK, which names its own options.
    const words = error instanceof Error ? error.message : String(error);
    throw new UsageError(words.replace('baseUrl', 'The URL').replace('apiKey', 'The API key'));
  }
}

/** A key of a project sees that project only, so it need not be named. */
export async function findProject(connection: Connection): Promise<string> {
  if (connection.project !== undefined) return connection.project;
  const { data } = await connect(connection).projects.list({ limit: 2 });
  const [found, other] = data;
  if (found === undefined)
    throw new Failure('There is no project. Create one: npx toolgate projects create --name NAME');
  if (other !== undefined)
    throw new UsageError('This key can see several projects: set TOOLGATE_PROJECT or --project.');
  return found.id;
}

/** The client of a command that works on one project. */
export async function projectClient(context: Context, command: CommandUnknownOpts, timeoutMs?: number) {
  const connection = connectionOf(context, command);
  const project = await findProject(connection);
  return { project, connection, toolgate: connect({ ...connection, project }, timeoutMs) };
}
