// /projects: create, list, read, update and delete projects, and their settings.

import { projectOf } from '../../access/caller.ts';
import { create, idempotencyHeaders } from '../../api/create.ts';
import { booleanFilter, pageOf, pageQuery, projectParams } from '../../api/fields.ts';
import { withRequestOrigin } from '../../api/request-origin.ts';
import { noContent, responses, responsesToBody, responsesToCreate } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { createdProject, createProject, newProject } from './create.ts';
import { deleteProject } from './delete.ts';
import { listProjects } from './list.ts';
import { projectSchema, showProject } from './project.ts';
import { readRetention, retentionSchema } from './retention.ts';
import { docs } from './route-docs.ts';
import { settingsChange, settingsSchema } from './settings.ts';
import { projectChange, updateProject } from './update.ts';
import { updateSettings } from './update-settings.ts';
import { readUsage, usageSchema } from './usage.ts';

const tags = ['Projects'];

const projectQuery = pageQuery.extend({
  is_archived: booleanFilter('Only archived projects, or only others'),
});

export function projectRoutes(server: Server, app: App): void {
  listRoute(server, app);
  server.post(
    '/api/v1/projects',
    {
      config: { access: 'write' },
      schema: {
        ...docs.createProject,
        tags,
        headers: idempotencyHeaders,
        body: newProject,
        response: responsesToCreate({ 201: createdProject }),
      },
    },
    (request, reply) => create(app, request, reply, (app) => createProject(app, request.caller, request.body)),
  );
  server.get(
    '/api/v1/projects/:project_id',
    {
      config: { access: 'read', database_permit: false, operators_of_all: true },
      schema: {
        ...docs.getProject,
        tags,
        params: projectParams,
        response: responses({ 200: projectSchema }, 'notFound'),
      },
    },
    async (request) => showProject(projectOf(request.caller)),
  );
  server.patch(
    '/api/v1/projects/:project_id',
    {
      config: { access: 'write', operators_of_all: true },
      schema: {
        ...docs.updateProject,
        tags,
        params: projectParams,
        body: projectChange,
        response: responsesToBody({ 200: projectSchema }, 'notFound'),
      },
    },
    (request) => updateProject(withRequestOrigin(app, request), request.caller, request.body),
  );
  server.delete(
    '/api/v1/projects/:project_id',
    {
      config: { access: 'admin' },
      schema: {
        ...docs.deleteProject,
        tags,
        params: projectParams,
        response: responses({ 204: noContent }, 'notFound'),
      },
    },
    async (request, reply) => {
      await deleteProject(withRequestOrigin(app, request), request.caller);
      return reply.code(204).send();
    },
  );
  settingsRoutes(server, app);
  usageRoute(server, app);
  retentionRoute(server, app);
}

function listRoute(server: Server, app: App): void {
  server.get(
    '/api/v1/projects',
    {
      config: { access: 'read', database_permit: false },
      schema: {
        ...docs.listProjects,
        tags,
        querystring: projectQuery,
        response: responses({ 200: pageOf(projectSchema) }, 'validation'),
      },
    },
    (request) => listProjects(app, request.caller, request.query),
  );
}

function settingsRoutes(server: Server, app: App): void {
  server.get(
    '/api/v1/projects/:project_id/settings',
    {
      config: { access: 'read', database_permit: false },
      schema: {
        ...docs.getProjectSettings,
        tags,
        params: projectParams,
        response: responses({ 200: settingsSchema }, 'notFound'),
      },
    },
    async (request) => projectOf(request.caller).settings,
  );
  server.patch(
    '/api/v1/projects/:project_id/settings',
    {
      config: { access: 'write' },
      schema: {
        ...docs.updateProjectSettings,
        tags,
        params: projectParams,
        body: settingsChange,
        response: responsesToBody({ 200: settingsSchema }, 'notFound'),
      },
    },
    (request) => updateSettings(withRequestOrigin(app, request), request.caller, request.body),
  );
}

function retentionRoute(server: Server, app: App): void {
  server.get(
    '/api/v1/projects/:project_id/retention',
    {
      config: { access: 'read', database_permit: false },
      schema: {
        ...docs.getRetention,
        tags,
        params: projectParams,
        response: responses({ 200: retentionSchema }, 'notFound'),
      },
    },
    async () => readRetention(app),
  );
}

function usageRoute(server: Server, app: App): void {
  server.get(
    '/api/v1/projects/:project_id/usage',
    {
      config: { access: 'read', database_permit: false },
      schema: {
        ...docs.getUsage,
        tags,
        params: projectParams,
        response: responses({ 200: usageSchema }, 'notFound'),
      },
    },
    (request) => readUsage(app, request.caller, request.rate_limit),
  );
}
