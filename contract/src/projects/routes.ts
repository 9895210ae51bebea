// /projects: create, list, read, update and delete projects; their settings, usage and retention.

import { pageOf } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { projectEvents, rateLimitEvents } from './events.ts';
import { createdProject, newProject, project, projectChange, projectQuery, retention, usage } from './project.ts';
import { projectSettings, projectSettingsChange } from './settings.ts';

const tag = 'Projects';

export const projectRoutes = defineRoutes({
  listProjects: {
    method: 'GET',
    path: '/projects',
    access: 'read',
    tag,
    summary: 'List the projects that this credential can see',
    description:
      'The root key sees all projects, newest first. People see the projects of their organization. An API key sees only its own project. Archived projects are included unless `is_archived=false`.',
    query: projectQuery,
    response: pageOf(project),
  },
  createProject: {
    method: 'POST',
    path: '/projects',
    access: 'write',
    tag,
    summary: 'Create a project',
    description:
      "With the root key: creates a project with its own plan, which starts a new quota group. With an API key: creates a project in the same organization and quota group, which shares the plan and the requests per hour of the caller's project; the response then includes `api_key`, a key of the new project with the caller's permissions. As a signed-in person: creates a project in your organization, which starts a new quota group. People, and keys of their projects, can create at most `TOOLGATE_MAX_PROJECTS` projects per organization; these projects share its database connections, outgoing calls and deliveries. Only the root key and owners of the operator's organization can set `plan` and `requests_per_hour`. Without `plan`, a project that such an owner creates starts on `enterprise`, and every other one on `TOOLGATE_DEFAULT_PLAN`.",
    body: newProject,
    response: createdProject,
    status: 201,
    takes_idempotency_key: true,
  },
  getProject: {
    method: 'GET',
    path: '/projects/:project_id',
    access: 'read',
    tag,
    summary: 'Get a project',
    description: 'The project with its environment, plan and settings.',
    response: project,
  },
  updateProject: {
    method: 'PATCH',
    path: '/projects/:project_id',
    access: 'write',
    tag,
    summary: 'Update a project',
    description:
      "Fields you leave out stay unchanged. `is_archived` hides the project from the dashboard's list, or shows it again; nothing else changes. Only the root key and owners of the operator's organization can change `plan` and `requests_per_hour`, and they can do it for every project; the change applies to all projects of the quota group. Changing `environment` requires the permission `admin`, because outside of production, sessions can be created without a signed assertion.",
    body: projectChange,
    response: project,
  },
  deleteProject: {
    method: 'DELETE',
    path: '/projects/:project_id',
    access: 'admin',
    tag,
    summary: 'Delete a project and everything in it',
    description:
      'All its API keys and member sessions are refused with 401 immediately, on every replica, and its tools can no longer be called. Its data is deleted after the retention time for deleted projects. This cannot be undone.',
    response: null,
  },
  getProjectSettings: {
    method: 'GET',
    path: '/projects/:project_id/settings',
    access: 'read',
    tag,
    summary: 'Get the settings',
    description: "The project's settings; those that were never changed have their defaults.",
    response: projectSettings,
  },
  updateProjectSettings: {
    method: 'PATCH',
    path: '/projects/:project_id/settings',
    access: 'write',
    tag,
    summary: 'Update settings',
    description: 'Settings you leave out stay unchanged. Changes apply to the next request, on every replica.',
    body: projectSettingsChange,
    response: projectSettings,
  },
  getUsage: {
    method: 'GET',
    path: '/projects/:project_id/usage',
    access: 'read',
    tag,
    summary: 'Get the usage of the hourly limit',
    description:
      'The same numbers as the rate limit headers. This request counts like every other. Over MCP, results of tools/call have these numbers in `_meta["toolgate/usage"]`.',
    response: usage,
  },
  getRetention: {
    method: 'GET',
    path: '/projects/:project_id/retention',
    access: 'read',
    tag,
    summary: 'Get the retention times',
    description: "The server's operator sets them for all projects. Recurring jobs delete older data.",
    response: retention,
  },
});

export const projects = defineResource({
  chapters: { Projects: 'A project contains keys, tools, members and settings' },
  routes: projectRoutes,
  events: { ...projectEvents, ...rateLimitEvents },
});
