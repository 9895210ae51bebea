// /projects/{id}/directory-report, /directory-submissions and /server.json: publishing the MCP server of a project in directories.

import { pageOf } from '../fields.ts';
import { defineResource } from '../resource.ts';
import { defineRoutes } from '../route.ts';
import {
  directoryQuery,
  directoryReport,
  directorySubmission,
  newDirectorySubmission,
  serverJson,
  submissionQuery,
} from './directory.ts';

const tag = 'Directories';

export const directoryRoutes = defineRoutes({
  getDirectoryReport: {
    method: 'GET',
    path: '/projects/:project_id/directory-report',
    access: 'read',
    tag,
    summary: 'Check whether a project is ready for a directory',
    description:
      "Checks the enabled tools, settings, OAuth, limits and the last 7 days of calls against a directory's rules. Result sizes come from each tool's newest calls, at most 20,000 calls in total. Nothing is sent to the directory. Changed definitions are compared with the last recorded submission.",
    query: directoryQuery,
    response: directoryReport,
  },
  createDirectorySubmission: {
    method: 'POST',
    path: '/projects/:project_id/directory-submissions',
    access: 'write',
    tag,
    summary: 'Record a submission to a directory',
    description:
      'Stores the definitions of all enabled tools, so that the report can show which ones change later. Nothing is sent to the directory, and nothing is checked. The newest 100 submissions per directory are kept.',
    body: newDirectorySubmission,
    response: directorySubmission,
    status: 201,
    takes_idempotency_key: true,
  },
  listDirectorySubmissions: {
    method: 'GET',
    path: '/projects/:project_id/directory-submissions',
    access: 'read',
    tag,
    summary: 'List recorded submissions, newest first',
    description: 'Which directory the project was submitted to, when, by whom and with how many tools.',
    query: submissionQuery,
    response: pageOf(directorySubmission),
  },
  getServerJson: {
    method: 'GET',
    path: '/projects/:project_id/server.json',
    access: 'read',
    tag,
    summary: 'Get the entry for the MCP registry',
    description:
      "The server.json file for the MCP registry's publishing tool, valid against the registry's schema. Requires `description` and `version` in the setting `listing`.",
    response: serverJson,
    errors: ['listingIncomplete'],
  },
});

export const directories = defineResource({
  chapters: { Directories: "Publish a project's MCP server: what to fix, and what was submitted" },
  routes: directoryRoutes,
});
