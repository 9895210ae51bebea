// The sections of a configuration file: which fields of which resource they hold, and what tells their entries apart.

import type { Toolgate } from '../../../sdk/src/index.ts';
import { type OperationId, operations } from '../operation.ts';

export type Fields = Record<string, unknown>;

type Methods = {
  list(): AsyncIterable<Fields>;
  create(fields: never): Promise<Fields>;
  update(id: string, change: never): Promise<Fields>;
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
  /** A list that is exported unless it is empty: the server adds to it, and an empty one in a file would take that back. */
  unlessEmpty?: string;
  /** Given as ${NAME}, or as an object of those; never exported. */
  secret?: string;
  reference?: Reference;
  methods(toolgate: Toolgate): Methods;
  /** An entry cannot be changed. */
  isFixed?: boolean;
  /** Resources that are not part of the configuration. */
  isLeftOut?(resource: Fields): boolean;
};

/** The operation that creates an entry says which fields there are; `first` come those that people read first. */
type Described = Omit<Section, 'fields'> & { operation: OperationId; first?: readonly string[] };

const tool = ['name', 'title', 'description', 'method', 'base_url', 'endpoint_path', 'is_enabled', 'require_member'];
const calling = ['timeout_ms', 'headers', 'context_in', 'auth_strategy', 'auth_config'];

/** In the order in which they are applied: an entry may name one of an earlier section. */
const described: readonly Described[] = [
  {
    name: 'integrations',
    key: 'name',
    operation: 'createIntegration',
    methods: ({ integrations }) => integrations,
  },
  {
    name: 'oauth_providers',
    key: 'name',
    operation: 'createOAuthProvider',
    first: ['name'],
    unlessEmpty: 'allowed_origins',
    secret: 'client_secret',
    methods: ({ oauthProviders }) => oauthProviders,
  },
  {
    name: 'assertion_keys',
    key: 'kid',
    operation: 'registerAssertionKey',
    first: ['kid', 'algorithm'],
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
    operation: 'createCustomTool',
    first: [...tool, ...calling, 'annotations'],
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
    operation: 'createWebhook',
    secret: 'headers',
    methods: ({ webhooks }) => webhooks,
  },
  {
    name: 'oauth_clients',
    key: 'name',
    operation: 'createOAuthClient',
    reference: { section: 'integrations', field: 'integration_id', written: 'integration' },
    methods: ({ oauthClients }) => oauthClients,
  },
];

export const sections: readonly Section[] = described.map((section) => ({ ...section, fields: fieldsOf(section) }));

/** A file has no ids: it can be applied to another project. */
function fieldsOf({ operation, first = [], secret, reference }: Described): string[] {
  const taken = Object.keys(operations[operation].fields).filter(
    (field) => field !== 'id' && field !== 'toolset_ids' && field !== secret,
  );
  const isNamed = (field: string) => reference?.inside === undefined && field === reference?.field;
  const written = taken.map((field) => (reference && isNamed(field) ? reference.written : field));
  return [...new Set([...first, ...written])];
}
