// An organization: whom people and projects belong to.

import { z } from 'zod';
import { name, timestamp } from '../fields.ts';

export const organization = z
  .strictObject({
    id: z.string(),
    object: z.literal('organization'),
    name,
    created_at: timestamp,
  })
  .meta({ id: 'Organization' });

export type Organization = z.infer<typeof organization>;

export const organizationChange = z.strictObject({ name }).partial().meta({ id: 'OrganizationChange' });

export type OrganizationChange = z.infer<typeof organizationChange>;
