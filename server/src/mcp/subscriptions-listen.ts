// subscriptions/listen (2026-07-28): a response that stays open and says when the caller's list of tools has changed. It ends with
// its credential, and when the server stops.

import type { FastifyReply } from 'fastify';
import type { TokenCaller } from '../access/caller.ts';
import { openEventStream } from '../api/event-stream.ts';
import { isObject, type Params, type RequestId, RpcError, type RpcRequest } from './json-rpc.ts';
import type { Listeners } from './listeners.ts';
import { metaKeys } from './protocol.ts';
import { serverInfoOf } from './server-info.ts';

/** Begins the response. */
export type OpenStream = (reply: FastifyReply) => void;

type Filter = { toolsListChanged?: true };

export async function subscriptionsListen(
  listeners: Listeners,
  caller: TokenCaller,
  { id, params }: RpcRequest,
): Promise<OpenStream> {
  const honored = readFilter(params);
  const acknowledged = notification(id, 'notifications/subscriptions/acknowledged', { notifications: honored });
  const meta = `"${metaKeys.subscription_id}":${JSON.stringify(id)},${serverInfoOf(caller.project).meta_entry}`;
  const ended = event(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"resultType":"complete","_meta":{${meta}}}}`,
  );
  // Nothing that this server sends was asked for, so there is nothing to wait for.
  if (!honored.toolsListChanged)
    return (reply) => {
      const stream = openEventStream(reply);
      stream.send(acknowledged + ended);
      stream.end();
    };
  const changed = notification(id, 'notifications/tools/list_changed', {});
  const listener = await listeners.join(caller, { changed, ended });
  return (reply) => {
    const stream = openEventStream(reply);
    stream.send(acknowledged);
    listeners.begin(listener, stream);
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
  return flags.toolsListChanged === true ? { toolsListChanged: true } : {};
}

const invalid = (problem: string) => new RpcError('invalid_params', problem, { status: 200 });

function notification(id: RequestId, method: string, params: object): string {
  const _meta = { [metaKeys.subscription_id]: id };
  return event(JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, _meta } }));
}

const event = (data: string) => `event: message\ndata: ${data}\n\n`;
