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
    summary: 'Check whether the project is ready for a directory',
    description:
      "Compares the enabled tools, the settings, OAuth, limits and the calls of the last 7 days with the rules of one directory. Sizes of results are those of each tool's newest calls, at most 20,000 calls in all. Nothing is sent to the directory. Changes of definitions are relative to the last submission that was recorded.",
    query: directoryQuery,
    answer: directoryReport,
  },
  createDirectorySubmission: {
    method: 'POST',
    path: '/projects/:project_id/directory-submissions',
    access: 'write',
    tag,
    summary: 'Record that the project was submitted to a directory',
    description:
      'Stores the definitions of all enabled tools as they are now, so that the report names those that change afterwards. Nothing is sent to the directory, and nothing is checked. The newest 100 of each directory are kept.',
    body: newDirectorySubmission,
    answer: directorySubmission,
    status: 201,
    takes_idempotency_key: true,
  },
  listDirectorySubmissions: {
    method: 'GET',
    path: '/projects/:project_id/directory-submissions',
    access: 'read',
    tag,
    summary: 'List the recorded submissions, newest first',
    description: 'When the project was submitted to which directory, by whom and with how many tools.',
    query: submissionQuery,
    answer: pageOf(directorySubmission),
  },
  getServerJson: {
    method: 'GET',
    path: '/projects/:project_id/server.json',
    access: 'read',
    tag,
    summary: 'Read the entry for the MCP registry',
    description:
      'The file server.json, for the tool with which entries of the MCP registry are published. It needs `description` and `version` of the setting `listing`. It is valid against the schema of the registry.',
    answer: serverJson,
    errors: ['listingIncomplete'],
  },
});

export const directories = defineResource({
  chapters: { Directories: 'Publishing the MCP server of a project: what to fix, what was submitted' },
  routes: directoryRoutes,
});
