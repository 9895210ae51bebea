// A project in responses.

import type { Project as ProjectResource } from '@toolgate/contract/projects/project.ts';
import type { Project } from '../../../access/caller.ts';

/** The fairness key is left out: it is an inner matter, and says nothing that the organization and the quota group do not. */
export const showProject = ({ fairness_key: _, ...project }: Project): ProjectResource => ({
  object: 'project',
  ...project,
});
