// How long the data of a project is kept. The operator sets it for all projects.

import { z } from 'zod';
import type { App } from '../../app.ts';

const days = (description: string) => z.int().meta({ description: `${description}, in days` });

export const retentionSchema = z
  .strictObject({
    object: z.literal('retention'),
    call_log_days: days('The call log with recorded arguments and results'),
    event_days: days('Events'),
    delivery_days: days('Deliveries of webhooks'),
    audit_days: days('The audit log'),
    deleted_project_days: days('The data of a deleted project'),
  })
  .meta({ id: 'Retention' });

export const readRetention = ({ config }: App) => ({ object: 'retention' as const, ...config.retention });
