// /projects/{id}/audit-log: list the changes to a project. /organization/audit-log: those to an organization and its people.

import { z } from 'zod';
import { pageOf, pageQuery, projectParams, timestampInput } from '../../api/fields.ts';
import { responses } from '../../api/responses.ts';
import type { Server } from '../../api/route.ts';
import type { App } from '../../app.ts';
import { entrySchema } from './entry.ts';
import { listEntries, listOrganizationEntries } from './list.ts';

const word = z.string().min(1).max(64);

const entryQuery = pageQuery.extend({
  actor: word.optional().meta({
    description:
      'Only changes made by this one: the id of a key, member or account, or `root`, `system`, `api_key`, `member`, `account`',
  }),
  action: word.optional().meta({ description: 'Only this action, such as `api_key.created`' }),
  target: word.optional().meta({ description: 'Only changes of the resource with this id' }),
  from: timestampInput.optional().meta({ description: 'Not before this time' }),
  to: timestampInput.optional().meta({ description: 'Before this time' }),
});

export function auditRoutes(server: Server, app: App): void {
  server.get(
    '/api/v1/projects/:project_id/audit-log',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'listAuditLog',
        summary: 'List the changes, newest first',
        description:
          'Every change to the project with who made it, when, from where, and the state before and after. Entries cannot be changed or deleted over this API; each is bound to the one before by a hash. The query parameters select some of them.',
        tags: ['Audit log'],
        params: projectParams,
        querystring: entryQuery,
        response: responses({ 200: pageOf(entrySchema) }, 'validation'),
      },
    },
    (request) => listEntries(app, request.caller, request.query),
  );
  server.get(
    '/api/v1/organization/audit-log',
    {
      config: { access: 'account_admin' },
      schema: {
        operationId: 'listOrganizationAuditLog',
        summary: 'List the changes to the organization and its people, newest first',
        description:
          'Sign-ins, sessions, passwords, second factors, roles, invitations and the organization itself, with who did it, when and from where. Changes inside a project are in the audit log of the project; both are bound by one chain of hashes.',
        tags: ['Organization'],
        querystring: entryQuery,
        response: responses({ 200: pageOf(entrySchema) }, 'validation'),
      },
    },
    (request) => listOrganizationEntries(app, request.caller, request.query),
  );
}
