// What a webhook hears: everything (`*`), all kinds of one thing (`api_key.*`), or one kind (`api_key.created`).

import { z } from 'zod';
import { eventTypes } from '../events/catalogue.ts';

const groups = new Set(eventTypes.filter((type) => type.includes('.')).map((type) => `${type.split('.')[0]}.*`));
/** A ping goes to the webhook it is asked of; nobody subscribes to it. */
const filters = ['*', ...groups, ...eventTypes.filter((type) => type !== 'ping')];
const MOST = 50;

export const eventFilters = z
  .array(z.enum(filters as [string, ...string[]]))
  .min(1)
  .max(MOST, { abort: true })
  .refine((given) => new Set(given).size === given.length, 'must not name a filter twice')
  .meta({
    description: 'Kinds of events, such as `api_key.created`, `api_key.*`, or `*` for all',
    example: ['api_key.*'],
  });
