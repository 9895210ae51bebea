// A recorded submission: its columns, and how responses show it.

import type { DirectorySubmission } from '@toolgate/contract/directories/directory.ts';
import type { Row } from '../../../database/tables.ts';

export type SubmissionRow = Row<'directory_submissions'>;

export const showSubmission = (row: SubmissionRow): DirectorySubmission => ({ object: 'directory_submission', ...row });
