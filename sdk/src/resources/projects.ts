// /projects: the only resource that needs no projectId.

import type { Api, CallOptions } from '../api.ts';
import { path } from '../path.ts';
import { type Crud, crud } from './crud.ts';
import type { Query, Schema } from './schema.ts';

export type Project = Schema<'Project'>;
export type ProjectSettings = Schema<'ProjectSettings'>;
export type Usage = Schema<'Usage'>;
export type Retention = Schema<'Retention'>;

type Types = {
  item: Project;
  created: Schema<'CreatedProject'>;
  fields: Schema<'NewProject'>;
  change: Schema<'ProjectChange'>;
  filters: Query<'listProjects'>;
};

export type Projects = Crud<Types> & {
  settings: {
    get(projectId: string, options?: CallOptions): Promise<ProjectSettings>;
    update(projectId: string, change: Schema<'ProjectSettingsChange'>, options?: CallOptions): Promise<ProjectSettings>;
  };
  usage: {
    /** How many requests of this hour are used. Asking counts as one. */
    get(projectId: string, options?: CallOptions): Promise<Usage>;
  };
  retention: {
    /** How long data is kept. The operator of the server sets it. */
    get(projectId: string, options?: CallOptions): Promise<Retention>;
  };
};

export function projects(api: Api): Projects {
  return {
    ...crud<Types>(api, () => '/projects'),
    settings: {
      async get(id, options) {
        return api.send({ method: 'GET', path: path`/projects/${id}/settings`, options });
      },
      async update(id, body, options) {
        return api.send({ method: 'PATCH', path: path`/projects/${id}/settings`, body, options });
      },
    },
    usage: {
      async get(id, options) {
        return api.send({ method: 'GET', path: path`/projects/${id}/usage`, options });
      },
    },
    retention: {
      async get(id, options) {
        return api.send({ method: 'GET', path: path`/projects/${id}/retention`, options });
      },
    },
  };
}
