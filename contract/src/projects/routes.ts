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
    summary: 'List the projects this credential can see',
    description:
      'The root key sees all projects, newest first. People see those of their organization. An API key sees its own project only. Archived projects are in the list unless `is_archived=false`.',
    query: projectQuery,
    answer: pageOf(project),
  },
  createProject: {
    method: 'POST',
    path: '/projects',
    access: 'write',
    tag,
    summary: 'Create a project',
    description:
      "With the root key: a project with its own plan, the first of a new quota group. With an API key: a sibling in the same organization that shares the plan and the requests per hour of the caller's project; the response then has `api_key`, a key of the new project with the caller's permissions. A person creates a project in their organization, the first of a new quota group. People, and keys of their projects, create at most `TOOLGATE_MAX_PROJECTS` in an organization; together these share its database connections, outgoing calls and deliveries. Only the root key and owners of the first organization may give `plan` and `requests_per_hour`. Without `plan`, a project of such an owner starts on `enterprise`, and every other one on `TOOLGATE_DEFAULT_PLAN`.",
    body: newProject,
    answer: createdProject,
    status: 201,
    takes_idempotency_key: true,
  },
  getProject: {
    method: 'GET',
    path: '/projects/:project_id',
    access: 'read',
    tag,
    summary: 'Read a project',
    description: 'The project with its environment, plan and settings.',
    answer: project,
  },
  updateProject: {
    method: 'PATCH',
    path: '/projects/:project_id',
    access: 'write',
    tag,
    summary: 'Change a project',
    description:
      'Fields that are left out stay as they are. `is_archived` hides the project from the list of the dashboard, or shows it again; nothing else changes for it. Only the root key and owners of the first organization, who may do it for every project, may change `plan` and `requests_per_hour`; they apply to all projects of the quota group. Changing `environment` needs the permission `admin`, because outside of production sessions can be created without a signed assertion.',
    body: projectChange,
    answer: project,
  },
  deleteProject: {
    method: 'DELETE',
    path: '/projects/:project_id',
    access: 'admin',
    tag,
    summary: 'Delete a project with everything in it',
    description:
      'All its API keys and member sessions are refused with 401 from now on, on every replica, and its tools can no longer be called. Its data is deleted after the retention time for deleted projects. It cannot be undone.',
    answer: null,
  },
  getProjectSettings: {
    method: 'GET',
    path: '/projects/:project_id/settings',
    access: 'read',
    tag,
    summary: 'Read the settings',
    description: 'The settings of the project; those that were never changed have their defaults.',
    answer: projectSettings,
  },
  updateProjectSettings: {
    method: 'PATCH',
    path: '/projects/:project_id/settings',
    access: 'write',
    tag,
    summary: 'Change settings',
    description: 'Settings that are left out stay as they are. They apply from the next request on, on every replica.',
    body: projectSettingsChange,
    answer: projectSettings,
  },
  getUsage: {
    method: 'GET',
    path: '/projects/:project_id/usage',
    access: 'read',
    tag,
    summary: 'Read how much of the hourly limit is used',
    description:
      'The numbers of the rate limit headers. Asking counts as a request, like every other. Results of tools/call over MCP have the same numbers in `_meta["toolgate/usage"]`.',
    answer: usage,
  },
  getRetention: {
    method: 'GET',
    path: '/projects/:project_id/retention',
    access: 'read',
    tag,
    summary: 'Read how long data is kept',
    description: 'The operator of the server sets it for all projects. What is older is deleted by recurring jobs.',
    answer: retention,
  },
});

export const projects = defineResource({
  chapters: { Projects: 'A project holds keys, tools, members and settings' },
  routes: projectRoutes,
  events: { ...projectEvents, ...rateLimitEvents },
});
