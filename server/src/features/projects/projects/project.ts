// A project in responses.

import { projectEvents, rateLimitEvents } from '@toolgate/contract/projects/events.ts';
import type { Project as ProjectResource } from '@toolgate/contract/projects/project.ts';
import type { Project } from '../../../access/caller.ts';
import { recorderOf } from '../../activity/events/record.ts';

/** The fairness key is left out: it is an inner matter, and says nothing that the organization and the quota group do not. */
export const showProject = ({ fairness_key: _, ...project }: Project): ProjectResource => ({
  object: 'project',
  ...project,
});

/** Records the events of projects and of their rate limits. */
export const { newEvent, recordChange } = recorderOf({ ...projectEvents, ...rateLimitEvents });
