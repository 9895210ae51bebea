// The sections of a configuration file: which fields of which resource they hold, and what tells their entries apart.

import type { Toolgate } from '../../../sdk/src/index.ts';
import { type OperationId, operations } from '../operation.ts';
import type { Fields } from './comparable.ts';
import { checkServer, completeApproved, mcpServerMethods } from './mcp-servers.ts';

type Methods = {
  list(): AsyncIterable<Fields>;
  create(fields: never): Promise<Fields>;
  update(id: string, change: never): Promise<Fields>;
  delete(id: string): Promise<unknown>;
};

export type SectionName =
  | 'toolsets'
  | 'certificates'
  | 'integrations'
  | 'oauth_providers'
  | 'assertion_keys'
  | 'mcp_servers'
  | 'tools'
  | 'limits'
  | 'hooks'
  | 'webhooks'
  | 'log_streams'
  | 'oauth_clients';

/** A field of the file that names an entry of another section, or a list of them; the API has their ids in `field`. */
export type Reference = { section: SectionName; field: string; written: string; inside?: string };

export type Section = {
  name: SectionName;
  /** The field that tells entries apart. */
  key: string;
  fields: readonly string[];
  /** A list that is exported unless it is empty: the server adds to it, and an empty one in a file would take that back. */
  unlessEmpty?: string;
  /** Given as ${NAME}, or as an object of those; never exported. An entry has one of them at most. */
  secrets?: readonly string[];
  references?: readonly Reference[];
  /** Written after all sections: they name entries of a later one. */
  last?: readonly string[];
  /** The order of its entries means something: they are exported as they were created. */
  hasOrder?: boolean;
  /** Reading it needs the permission `admin`: a file that is exported without it does not have the section. */
  isForAdmins?: boolean;
  methods(toolgate: Toolgate): Methods;
  /** Throws a Failure if an entry of a file is not as it must be, beyond the names of its fields. */
  check?(entry: Fields, place: string): void;
  /** An entry of a file, with what it leaves as it is. */
  complete?(wanted: Fields, current: Fields): Fields;
  /** An entry cannot be changed. */
  isFixed?: boolean;
  /** Resources that are not part of the configuration. */
  isLeftOut?(resource: Fields): boolean;
};

/** The operation that creates an entry says which fields there are; `first` come those that people read first. */
type Described = Omit<Section, 'fields'> & {
  operation: OperationId;
  first?: readonly string[];
  leftOut?: readonly string[];
  /** Fields that the operation does not have. */
  more?: readonly string[];
};

const tool = ['name', 'title', 'description', 'method', 'base_url', 'endpoint_path', 'is_enabled', 'require_member'];
const calling = ['timeout_ms', 'headers', 'context_in', 'auth_strategy', 'auth_config'];

const certificate: Reference = { section: 'certificates', field: 'certificate_id', written: 'certificate' };
const toolsets: Reference = { section: 'toolsets', field: 'toolset_ids', written: 'toolsets' };

/** In the order in which they are applied: an entry may name one of an earlier section. */
const described: readonly Described[] = [
  {
    name: 'toolsets',
    key: 'slug',
    operation: 'createToolset',
    references: [
      { section: 'tools', field: 'tool_ids', written: 'tools' },
      { section: 'tools', field: 'pinned_tool_ids', written: 'pinned_tools' },
    ],
    last: ['tools', 'pinned_tools'],
    methods: ({ toolsets }) => toolsets,
  },
  {
    name: 'certificates',
    key: 'name',
    operation: 'createCertificate',
    secrets: ['client_key'],
    isForAdmins: true,
    methods: ({ certificates }) => certificates,
  },
  {
    name: 'integrations',
    key: 'name',
    operation: 'createIntegration',
    references: [toolsets],
    methods: ({ integrations }) => integrations,
  },
  {
    name: 'oauth_providers',
    key: 'name',
    operation: 'createOAuthProvider',
    first: ['name'],
    unlessEmpty: 'allowed_origins',
    secrets: ['client_secret'],
    references: [toolsets, certificate],
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
    name: 'mcp_servers',
    key: 'slug',
    operation: 'createMcpServer',
    secrets: ['encrypted_auth_secret'],
    more: ['approved', 'pinned_issuer'],
    references: [certificate],
    methods: mcpServerMethods,
    check: checkServer,
    complete: completeApproved,
  },
  {
    name: 'tools',
    key: 'name',
    operation: 'createCustomTool',
    first: [...tool, ...calling, 'annotations'],
    secrets: ['encrypted_auth_secret'],
    references: [
      { section: 'oauth_providers', field: 'oauth_provider_id', written: 'oauth_provider', inside: 'auth_config' },
      certificate,
    ],
    methods: ({ customTools }) => customTools,
    // Those of MCP servers come with their approval.
    isLeftOut: ({ source }) => source !== null,
  },
  {
    name: 'limits',
    key: 'name',
    operation: 'createLimit',
    // They are for ids of one project: keys, members and so on are not in a file.
    leftOut: ['overrides'],
    references: [{ section: 'tools', field: 'tool_ids', written: 'tools', inside: 'match' }],
    methods: ({ limits }) => limits,
    // Its tools or its toolset were deleted: it limits nothing, and cannot be created like that.
    isLeftOut: ({ match }) => (match as { tool_ids?: string[] } | null)?.tool_ids?.length === 0,
  },
  {
    name: 'hooks',
    key: 'url',
    operation: 'createHook',
    references: [{ section: 'tools', field: 'tool_ids', written: 'tools', inside: 'match' }, certificate],
    // They are asked in the order in which they are created.
    hasOrder: true,
    isForAdmins: true,
    methods: ({ hooks }) => hooks,
    // As of a limit: it matches nothing.
    isLeftOut: ({ match }) => (match as { tool_ids?: string[] } | null)?.tool_ids?.length === 0,
  },
  {
    name: 'webhooks',
    key: 'url',
    operation: 'createWebhook',
    secrets: ['headers'],
    references: [certificate],
    methods: ({ webhooks }) => webhooks,
  },
  {
    name: 'log_streams',
    key: 'name',
    operation: 'createLogStream',
    first: ['name', 'kind', 'source', 'is_enabled'],
    secrets: ['headers', 'secret_access_key'],
    references: [certificate],
    isForAdmins: true,
    methods: ({ logStreams }) => logStreams,
  },
  {
    name: 'oauth_clients',
    key: 'name',
    operation: 'createOAuthClient',
    references: [{ section: 'integrations', field: 'integration_id', written: 'integration' }, toolsets],
    methods: ({ oauthClients }) => oauthClients,
  },
];

export const sections: readonly Section[] = described.map((section) => ({ ...section, fields: fieldsOf(section) }));

/** A file has no ids: it can be applied to another project. */
function fieldsOf({
  operation,
  first = [],
  leftOut = [],
  more = [],
  secrets = [],
  references = [],
}: Described): string[] {
  const left = ['id', ...secrets, ...leftOut];
  const taken = Object.keys(operations[operation].fields).filter((field) => !left.includes(field));
  const referenceOf = (field: string) => references.find((each) => each.inside === undefined && each.field === field);
  const written = taken.map((field) => referenceOf(field)?.written ?? field);
  return [...new Set([...first, ...written, ...more])];
}

/** The field that tells the entries of a section apart. */
export const keyOf = (name: SectionName): string => sections.find((section) => section.name === name)?.key ?? 'name';
