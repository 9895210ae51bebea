// The entry of a project for the MCP registry: server.json.

import type { ServerJson } from '@toolgate/contract/directories/directory.ts';
import { SERVER_JSON_SCHEMA_URL, serverJsonSchema } from '@toolgate/contract/directories/server-json-schema.ts';
import type { Listing } from '@toolgate/contract/projects/listing.ts';
import { type Caller, type Project, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';

const MAX_TEXT = 100;

/** What stops the entry from being made. */
type Missing = { field: string; remedy: string };

export async function readServerJson(app: App, caller: Caller): Promise<ServerJson> {
  const project = projectOf(caller);
  const entry = makeServerJson(project, app.config.public_url);
  const problem = 'field' in entry ? entry : await findProblem(app, entry, project.fairness_key);
  if (problem !== null) throw refuse.listingIncomplete({ details: problem });
  return entry as ServerJson;
}

/** Why there is no valid entry; null: there is one. */
export async function serverJsonProblem(app: App, project: Project): Promise<string | null> {
  const entry = makeServerJson(project, app.config.public_url);
  const problem = 'field' in entry ? entry : await findProblem(app, entry, project.fairness_key);
  return problem && `The entry cannot be created: ${problem.field}. ${problem.remedy}`;
}

async function findProblem(app: App, entry: ServerJson, fairness_key: string): Promise<Missing | null> {
  const validate = await app.validators.validatorFor(SERVER_JSON_SCHEMA_URL, serverJsonSchema, fairness_key);
  const [problem] = validate(entry) ?? [];
  return problem ? { field: problem.field, remedy: `The registry's schema reports: ${problem.message}.` } : null;
}

export function makeServerJson({ id, name, settings }: Project, public_url: string): ServerJson | Missing {
  const { description, version, homepage_url, icon_url } = settings.listing;
  if (version === null) return missing('version');
  if (description === null) return missing('description');
  const title = settings.mcp_server_name ?? name;
  return {
    $schema: SERVER_JSON_SCHEMA_URL,
    name: `${reversedDomain(public_url)}/${slugOf(title) || slugOf(id)}`,
    title: cut(title),
    description: cut(description),
    version,
    ...(homepage_url !== null && { websiteUrl: homepage_url }),
    ...(icon_url !== null && { icons: [{ src: icon_url }] }),
    remotes: [{ type: 'streamable-http', url: `${public_url}/api/v1/mcp/${id}` }],
  };
}

const missing = (field: keyof Listing): Missing => ({
  field: `listing.${field}`,
  remedy: `Set ${field} of listing in the project settings.`,
});

/** `tools.example.com` → `com.example.tools`. */
const reversedDomain = (public_url: string) => new URL(public_url).hostname.split('.').reverse().join('.');

/** Only the characters that the registry allows; empty if nothing is left. */
const slugOf = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_TEXT)
    .replace(/^-+|-+$/g, '');

/** At most 100 code units, without half of a character at the end. */
const cut = (text: string) => (text.isWellFormed() ? text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '') : text);
