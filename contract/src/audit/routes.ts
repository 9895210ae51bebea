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
    summary: 'List the changes, newest first',
    description:
      'Every change to the project with who made it, when, from where, and the state before and after. Entries cannot be changed or deleted over this API; each is bound to the one before by a hash. The query parameters select some of them.',
    query: projectAuditQuery,
    answer: pageOf(auditEntry),
  },
  listOrganizationAuditLog: {
    method: 'GET',
    path: '/organization/audit-log',
    access: 'account_admin',
    tag: 'Organization',
    summary: 'List the changes to the organization and its people, newest first',
    description:
      'Sign-ins, sessions, passwords, second factors, roles, invitations and the organization itself, with who did it, when and from where. Changes inside a project are in the audit log of the project; both are bound by one chain of hashes.',
    query: auditQuery,
    answer: pageOf(auditEntry),
  },
});

export const audit = defineResource({
  chapters: { 'Audit log': 'Who changed what, when and from where' },
  routes: auditRoutes,
});
