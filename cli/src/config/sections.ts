// The sections of a configuration file: which fields of which resource they hold, and what tells their entries apart.

import type { Toolgate } from '../../../sdk/src/index.ts';

export type Fields = Record<string, unknown>;

type Methods = {
  list(): AsyncIterable<unknown>;
  create(fields: never): Promise<unknown>;
  update(id: string, change: never): Promise<unknown>;
  delete(id: string): Promise<unknown>;
};

export type SectionName =
  | 'integrations'
  | 'oauth_providers'
  | 'assertion_keys'
  | 'tools'
  | 'webhooks'
  | 'oauth_clients';

/** A field of the file that names an entry of another section; the API has its id in `field`. */
export type Reference = { section: SectionName; field: string; written: string; inside?: string };

export type Section = {
  name: SectionName;
  /** The field that tells entries apart. */
  key: string;
  fields: readonly string[];
  /** Given as ${NAME}, or as an object of those; never exported. */
  secret?: string;
  reference?: Reference;
  methods(toolgate: Toolgate): Methods;
  /** An entry cannot be changed. */
  isFixed?: boolean;
  /** Resources that are not part of the configuration. */
  isLeftOut?(resource: Fields): boolean;
};

const tool = ['name', 'title', 'description', 'method', 'base_url', 'endpoint_path', 'is_enabled', 'require_member'];
const calling = ['timeout_ms', 'headers', 'context_in', 'auth_strategy', 'auth_config'];
const schemas = ['annotations', 'input_schema', 'output_schema'];
const client = ['name', 'redirect_uris', 'integration', 'is_public'];

/** In the order in which they are applied: an entry may name one of an earlier section. */
export const sections: readonly Section[] = [
  {
    name: 'integrations',
    key: 'name',
    fields: ['name', 'description'],
    methods: ({ integrations }) => integrations,
  },
  {
    name: 'oauth_providers',
    key: 'name',
    fields: ['name', 'provider', 'issuer', 'client_id', 'scopes', 'permissions', 'is_enabled'],
    secret: 'client_secret',
    methods: ({ oauthProviders }) => oauthProviders,
  },
  {
    name: 'assertion_keys',
    key: 'kid',
    fields: ['kid', 'algorithm', 'public_key'],
    methods: ({ assertionKeys }) => ({
      list: () => assertionKeys.list(),
      create: (fields) => assertionKeys.create(fields),
      update: () => Promise.reject(new Error('an assertion key cannot be changed')),
      delete: (id) => assertionKeys.deactivate(id),
    }),
    isFixed: true,
    isLeftOut: ({ status }) => status !== 'active',
  },
  {
    name: 'tools',
    key: 'name',
    fields: [...tool, ...calling, ...schemas],
    secret: 'encrypted_auth_secret',
    reference: {
      section: 'oauth_providers',
      field: 'oauth_provider_id',
      written: 'oauth_provider',
      inside: 'auth_config',
    },
    methods: ({ customTools }) => customTools,
  },
  {
    name: 'webhooks',
    key: 'url',
    fields: ['url', 'events', 'description', 'is_enabled'],
    secret: 'headers',
    methods: ({ webhooks }) => webhooks,
  },
  {
    name: 'oauth_clients',
    key: 'name',
    fields: client,
    reference: { section: 'integrations', field: 'integration_id', written: 'integration' },
    methods: ({ oauthClients }) => oauthClients,
  },
];
