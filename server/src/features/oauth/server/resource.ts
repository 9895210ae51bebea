// The URLs of the MCP endpoint as resources of OAuth (RFC 8707, RFC 9728): one for each project, and one for keys, which know
// their project.

import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { clientNetwork } from '../../../limits/client-network.ts';
import { findToolsetIds } from '../../policies/toolsets/slugs.ts';
import { findProject } from '../../projects/projects/find.ts';

export const mcpPaths = ['/api/v1/mcp', '/mcp'];

/** What follows an MCP endpoint: its project, its toolset, or both. */
const RESOURCE = /^(?:\/(?<project_id>prj_[0-9A-Za-z]{22}))?(?:\/toolsets\/(?<slug>[a-z][a-z0-9-]{0,39}))?$/;

/** `project_id`: null for the endpoint of all projects. `slug`: of the toolset that the URL is narrowed to. */
type Resource = { project_id: string | null; slug: string | null };

/** Undefined for what is not a URL of an MCP endpoint. */
function readResource(public_url: string, resource: string): Resource | undefined {
  for (const path of mcpPaths) {
    const base = public_url + path;
    const found = resource.startsWith(base) ? RESOURCE.exec(resource.slice(base.length)) : null;
    if (found) return { project_id: found.groups?.project_id ?? null, slug: found.groups?.slug ?? null };
  }
  return undefined;
}

/** Returns the project that a resource names, null for the endpoint of all projects; undefined for anything else. */
export function projectInResource(public_url: string, resource: string): string | null | undefined {
  return readResource(public_url, resource)?.project_id;
}

/** Whether both name the same endpoint of the project; one that names no project is that of the client. */
export function isSameResource(public_url: string, { id }: Project, one: string, other: string): boolean {
  const [first, second] = [readResource(public_url, one), readResource(public_url, other)];
  if (!first || !second) return false;
  return (first.project_id ?? id) === (second.project_id ?? id) && first.slug === second.slug;
}

/** Whether it is an MCP endpoint of the project. */
export function isResourceOf(public_url: string, { id }: Project, resource: string): boolean {
  const found = readResource(public_url, resource);
  return found !== undefined && (found.project_id ?? id) === id;
}

/** The slug of the toolset that the resource is narrowed to; null if it names none. */
export const slugInResource = (public_url: string, resource: string | null) =>
  resource === null ? null : (readResource(public_url, resource)?.slug ?? null);

/** The id of that toolset; null if the resource names none. */
export async function findResourceToolset(app: App, project: Project, resource: string | null): Promise<string | null> {
  const slug = slugInResource(app.config.public_url, resource);
  if (slug === null) return null;
  const [id] = await findToolsetIds(app, project, [slug]);
  if (id === undefined) throw refuse.oauthInvalidTarget();
  return id;
}

/** The project of the client and that of the resource must agree; at least one must name it. Do not hold a slot of the lookups. */
export async function findTarget(
  app: App,
  client: { project_id: string | null },
  { resource, ip }: { resource: string | null; ip: string },
): Promise<Project> {
  const named = resource === null ? null : projectInResource(app.config.public_url, resource);
  const project_id = client.project_id ?? named;
  const details = {
    remedy: 'Send the URL of an MCP endpoint with its project as resource, such as /api/v1/mcp/prj_….',
  };
  if (named === undefined || project_id === null || project_id === undefined)
    throw refuse.oauthInvalidTarget({ details });
  if (named !== null && named !== project_id) throw refuse.oauthInvalidTarget();
  const project = await app.lookups.run(clientNetwork(ip), () => findProject(app, project_id));
  if (!project) throw refuse.oauthInvalidTarget();
  return project;
}
