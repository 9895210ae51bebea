// The issuer of the JWTs that the service signs for a project.

import type { App } from '../../../app.ts';

export const issuerOf = ({ config }: Pick<App, 'config'>, project_id: string) =>
  `${config.public_url}/api/v1/projects/${project_id}`;
