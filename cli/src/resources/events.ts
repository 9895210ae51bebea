// toolgate events and requests: what changed, and how far one request came.

import type { Command } from '@commander-js/extra-typings';
import { addListVerb, addVerb } from '../verb.ts';

export function addEventsCommand(program: Command): void {
  const group = program.command('events').description('what changed in the project');
  addListVerb(group, {
    usage: 'list',
    description: 'list events, newest first',
    columns: ['id', 'timestamp', 'type', 'data'],
    fields: [{ flag: '--type <type>', field: 'type', description: 'only of this type' }],
    run: ({ toolgate, fields }) => toolgate.events.list(fields),
  });
  addVerb(group, {
    usage: 'get <id>',
    description: 'show an event',
    run: ({ toolgate, args }) => toolgate.events.get(String(args[0])),
  });
}

export function addRequestsCommand(program: Command): void {
  const group = program.command('requests').description('the traces of requests, kept for 24 hours');
  addVerb(group, {
    usage: 'get <request-id>',
    description: 'show how far a request came, and what to do about its refusal',
    run: ({ toolgate, args }) => toolgate.requests.get(String(args[0])),
  });
}
