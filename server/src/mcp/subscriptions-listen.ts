// subscriptions/listen (2026-07-28): a response that stays open and says when the caller's list of tools or one of its tasks has changed. It ends with
// its credential, and when the server stops.

import type { FastifyReply } from 'fastify';
import type { TokenCaller } from '../access/caller.ts';
import { openEventStream } from '../api/event-stream.ts';
import type { App } from '../app.ts';
import type { FoundTask } from '../features/tools/calls/tasks/find.ts';
import { followTask, type TaskMeta } from './follow-task.ts';
import { isObject, type Params, type RequestId, RpcError, type RpcRequest } from './json-rpc.ts';
import type { Listeners } from './listeners.ts';
import { metaKeys } from './protocol.ts';
import { serverInfoOf } from './server-info.ts';
import { findOrNull, requireTasks } from './tasks.ts';

/** For one stream. */
const MAX_TASKS = 100;

/** Begins the response. */
export type OpenStream = (reply: FastifyReply) => void;

type Filter = { toolsListChanged?: true; taskIds?: string[] };

type Listening = { app: App; listeners: Listeners; caller: TokenCaller; call: TaskMeta };

export async function subscriptionsListen(
  { app, listeners, caller, call }: Listening,
  { id, params }: RpcRequest,
): Promise<OpenStream> {
  const asked = readFilter(params);
  const tasks = await findTasks(app, caller, params, asked.taskIds);
  const honored = tasks.length === 0 ? withoutTasks(asked) : { ...asked, taskIds: tasks.map(({ task }) => task.id) };
  const acknowledged = notification(id, 'notifications/subscriptions/acknowledged', { notifications: honored });
  const meta = `"${metaKeys.subscription_id}":${JSON.stringify(id)},${serverInfoOf(caller.project).meta_entry}`;
  const ended = event(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"resultType":"complete","_meta":{${meta}}}}`,
  );
  // Nothing that this server sends was asked for, so there is nothing to wait for.
  if (!honored.toolsListChanged && tasks.length === 0)
    return (reply) => {
      const stream = openEventStream(reply);
      stream.send(acknowledged + ended);
      stream.end();
    };
  const changed = honored.toolsListChanged ? notification(id, 'notifications/tools/list_changed', {}) : null;
  const listener = await listeners.join(caller, { changed, ended });
  return (reply) => {
    const stream = openEventStream(reply);
    stream.send(acknowledged);
    listeners.begin(listener, stream);
    const tell = (text: string) => stream.send(event(taskNotification(id, text)));
    for (const found of tasks) followTask(app, listener, found, { call, tell, isGone: stream.is_ended });
  };
}

/** What of it this server can send. */
function readFilter({ notifications }: Params): Filter {
  if (!isObject(notifications)) throw invalid('params.notifications must be an object');
  const { resourceSubscriptions, ...flags } = notifications;
  for (const name of ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'])
    if (flags[name] !== undefined && typeof flags[name] !== 'boolean')
      throw invalid(`params.notifications.${name} must be a boolean`);
  const isList = Array.isArray(resourceSubscriptions) && resourceSubscriptions.every((uri) => typeof uri === 'string');
  if (resourceSubscriptions !== undefined && !isList)
    throw invalid('params.notifications.resourceSubscriptions must be a list of strings');
  const { taskIds } = flags;
  const areIds = Array.isArray(taskIds) && taskIds.length <= MAX_TASKS && taskIds.every((id) => typeof id === 'string');
  if (taskIds !== undefined && !areIds)
    throw invalid(`params.notifications.taskIds must be a list of at most ${MAX_TASKS} strings`);
  return {
    ...(flags.toolsListChanged === true && { toolsListChanged: true }),
    ...(areIds && { taskIds: [...new Set(taskIds as string[])] }),
  };
}

/** Those that exist for the caller. A client that asks for tasks must know the extension. */
async function findTasks(
  app: App,
  caller: TokenCaller,
  params: Params,
  ids: readonly string[] | undefined,
): Promise<FoundTask[]> {
  if (ids === undefined) return [];
  requireTasks(params);
  const found: FoundTask[] = [];
  for (const id of ids) {
    const task = await findOrNull(app, caller, id);
    if (task) found.push(task);
  }
  return found;
}

const withoutTasks = ({ taskIds: _, ...others }: Filter): Filter => others;

const taskNotification = (id: RequestId, fields: string) =>
  `{"jsonrpc":"2.0","method":"notifications/tasks","params":{${fields},"_meta":{${JSON.stringify(metaKeys.subscription_id)}:${JSON.stringify(id)}}}}`;

const invalid = (problem: string) => new RpcError('invalid_params', problem, { status: 200 });

function notification(id: RequestId, method: string, params: object): string {
  const _meta = { [metaKeys.subscription_id]: id };
  return event(JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, _meta } }));
}

const event = (data: string) => `event: message\ndata: ${data}\n\n`;
