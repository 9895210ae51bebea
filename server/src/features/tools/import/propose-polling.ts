// The `polling` that an operation gets which may respond with 202: the job is followed at the Location header of that response, or at the
// operation that one of its links names. A person who enables the tool adds what no document says: which statuses mean what.

import { checkTemplate, MAX_TEMPLATE } from '@toolgate/contract/custom-tools/path-template.ts';
import { escapeName, parsePath } from '@toolgate/contract/custom-tools/response-paths.ts';
import { isObject, type SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { count, lookUp, NotATool, type Reading } from './references.ts';

/** The fields of `polling` that are not the default. */
export type ProposedPolling = { job_id?: string; status_path?: string };

/** `base_path`: that of the server. Null: nothing says where its job is. */
export function proposePolling(
  reading: Reading,
  { responses }: SchemaObject,
  base_path: string,
): ProposedPolling | null {
  if (!isObject(responses) || !Object.hasOwn(responses, '202')) return null;
  try {
    const { headers, links } = lookUp(reading, responses['202']);
    const linked = isObject(links) ? linkedJob(reading, links, base_path) : null;
    if (linked !== null) return linked;
    const has_location = isObject(headers) && Object.keys(headers).some((name) => name.toLowerCase() === 'location');
    return has_location ? {} : null;
  } catch (error) {
    // It is a tool without that, too.
    if (error instanceof NotATool) return null;
    throw error;
  }
}

function linkedJob(reading: Reading, links: SchemaObject, base_path: string): ProposedPolling | null {
  for (const given of Object.values(links)) {
    const { operationId, operationRef, parameters } = lookUp(reading, given);
    const path = typeof operationRef === 'string' ? pathOfReference(operationRef) : pathOfId(reading, operationId);
    const found = path === null || !isObject(parameters) ? null : jobAt(path, parameters, base_path);
    if (found !== null) return found;
  }
  return null;
}

/** The one parameter of the path is a part of the response. */
function jobAt(path: string, parameters: SchemaObject, base_path: string): ProposedPolling | null {
  const [[placeholder, name] = [], ...others] = path.matchAll(/\{([^{}]+)\}/g);
  if (placeholder === undefined || name === undefined || others.length > 0) return null;
  // It may say where the parameter is.
  const expression = parameters[name] ?? parameters[`path.${name}`];
  const [, pointer] = (typeof expression === 'string' && /^\$response\.body#((?:\/[^/]+)+)$/.exec(expression)) || [];
  if (pointer === undefined) return null;
  const names = pointer.slice(1).split('/').map(unescapePointer);
  const job_id = names.map(escapeName).join('.');
  const status_path = base_path + path.replace(placeholder, '{{job_id}}');
  // A tool without that is better than none.
  const is_usable = typeof parsePath(job_id) !== 'string' && checkTemplate(status_path) === null;
  return is_usable && status_path.length <= MAX_TEMPLATE ? { job_id, status_path } : null;
}

/** `#/paths/~1jobs~1{id}/get` */
function pathOfReference(reference: string): string | null {
  const [, path] = /^#\/paths\/([^/]+)\/get$/.exec(reference) ?? [];
  return path === undefined ? null : unescapePointer(path);
}

function pathOfId(reading: Reading, id: unknown): string | null {
  const { paths } = reading.document;
  if (typeof id !== 'string' || !isObject(paths)) return null;
  for (const [path, item] of Object.entries(paths)) {
    count(reading);
    if (isObject(item) && isObject(item.get) && item.get.operationId === id) return path;
  }
  return null;
}

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');
