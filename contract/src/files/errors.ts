// The errors of files.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const filesErrors = {
  filesNotStored: {
    status: 409,
    code: 'FILES_NOT_STORED',
    message: 'This project stores no files',
    cause: 'The project setting `file_retention_seconds` is 0.',
    remedy: 'Set `file_retention_seconds` to 300 or more in the project settings.',
    step: { request: 'answer', call_request: 'answer', call: 'arguments' },
  },
  fileRequired: {
    status: 409,
    code: 'FILE_REQUIRED',
    message: 'The call needs a file that a person has to upload',
    cause: 'A file argument that the tool requires was left out. Nothing was sent.',
    remedy:
      'Have a person upload the file at details.upload_url, then call again with details.file_id as the argument; a member repeats the same call.',
    step: 'arguments',
    retryable: true,
    // The remedy is logged, and so has no link.
    advice: ({ upload_url, remedy }) => `Ask the user to open ${String(upload_url)}. ${remedy}`,
    is_question: true,
  },
  rangeNotSatisfiable: {
    status: 416,
    code: 'RANGE_NOT_SATISFIABLE',
    message: 'The range starts after the end of the file',
    cause: 'The `Range` header requests bytes beyond the end of the file.',
    remedy: "Request bytes within the file's size, which is in `Content-Range`.",
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const filesReasons = {
  organization_files_full: {
    cause: "The organization's files would take up more than 1 GB.",
    remedy: 'Delete files that you no longer need, or wait until some expire.',
  },
  member_files_full: {
    cause: "The member's files would take up more than 100 MB.",
    remedy: 'Delete files that you no longer need, or wait until some expire.',
  },
  too_many_upload_tickets: {
    cause: 'The member, key or app already has 20 calls waiting for a file.',
    remedy: 'Upload the requested files, or wait up to 15 minutes for a link to expire.',
  },
} as const satisfies Record<string, ReasonRow>;
