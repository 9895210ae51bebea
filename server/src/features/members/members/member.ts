// A member: a person known by the customer's own id.

import type { Row } from '../../../database/tables.ts';

export const memberColumns = ['id', 'project_id', 'external_id', 'created_at', 'last_seen_at'] as const;

export type MemberRow = Pick<Row<'members'>, (typeof memberColumns)[number]>;
