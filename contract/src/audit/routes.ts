// /projects/{id}/audit-log: the changes to a project. /organization/audit-log: those to an organization and its people.

import { pageOf } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import { auditEntry, auditQuery, projectAuditQuery } from './audit-entry.ts';

export const auditRoutes = defineRoutes({
  listAuditLog: {
    method: 'GET',
    path: '/projects/:project_id/audit-log',
    access: 'admin',
    tag: 'Audit log',
    summary: 'List changes, newest first',
    description:
      'Every change to the project: who made it, when, from where, and the state before and after. Entries cannot be changed or deleted through this API; a hash links each entry to the one before.',
    query: projectAuditQuery,
    response: pageOf(auditEntry),
  },
  listOrganizationAuditLog: {
    method: 'GET',
    path: '/organization/audit-log',
    access: 'account_admin',
    tag: 'Organization',
    summary: 'List changes to the organization and its people, newest first',
    description:
      "Sign-ins, sessions, passwords, second factors, roles, invitations and changes to the organization itself: who, when and from where. Changes inside a project are in the project's audit log; one chain of hashes links both.",
    query: auditQuery,
    response: pageOf(auditEntry),
  },
});

export const audit = defineResource({
  chapters: { 'Audit log': 'Who changed what, when and from where' },
  routes: auditRoutes,
});
