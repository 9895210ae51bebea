// The rules of the directories that list MCP servers, as data: which rule applies where, how much it matters, the public page that
// states it, and when that page was read. A directory that changes its rules changes this file. Without zod: the dashboard and the
// command line read it too.

import type { ListingField } from '../projects/rules.ts';

export const directories = ['claude', 'chatgpt', 'registry'] as const;

export type Directory = (typeof directories)[number];

export const directoryNames: Record<Directory, string> = {
  claude: 'Claude connectors directory',
  chatgpt: 'ChatGPT app directory',
  registry: 'MCP registry',
};

export const checkStatuses = ['pass', 'fail', 'warning', 'manual'] as const;

export type CheckStatus = (typeof checkStatuses)[number];

export const MAX_TOOL_NAME_LENGTH = 64;
export const MIN_TOOL_DESCRIPTION_LENGTH = 20;
export const MAX_TOOL_DESCRIPTION_LENGTH = 1_024;
/** What a model gets of 95 of 100 results must be smaller, in tokens. */
export const MAX_RESULT_TOKENS = 25_000;
/** The share of the results that may violate their schema must be smaller. */
export const MAX_VIOLATION_SHARE = 0.01;
/** For calls, by days of UTC: this one and so many before it. */
export const CALL_DAYS = 7;
/** How many tools one check names. The others are counted. */
export const MAX_NAMED_TOOLS = 50;

/** Where the directory receives the code of a sign-in: exact URLs, and beginnings of URLs. */
export const callbacks: Partial<Record<Directory, { exact: readonly string[]; prefixes: readonly string[] }>> = {
  claude: {
    exact: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    prefixes: [],
  },
  chatgpt: {
    exact: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    prefixes: ['https://chatgpt.com/connector/oauth/'],
  },
};

type Source = { url: string; read_on: `${number}-${number}-${number}` };

const read_on = '2026-11-17';

const sources = {
  claudeFaq: { url: 'https://claude.com/docs/connectors/faq', read_on },
  claudeAuthentication: { url: 'https://claude.com/docs/connectors/building/authentication', read_on },
  claudePolicy: {
    url: 'https://support.claude.com/en/articles/11697096-anthropic-mcp-directory-policy',
    read_on,
  },
  claudeDirectoryFaq: {
    url: 'https://support.claude.com/en/articles/11596036-anthropic-connectors-directory-faq',
    read_on,
  },
  claudeCallback: {
    url: 'https://support.claude.com/en/articles/11503834-building-custom-connectors-via-remote-mcp-servers',
    read_on,
  },
  claudeChecklist: {
    url: 'https://github.com/anthropics/claude-plugins-official/blob/main/plugins/mcp-server-dev/skills/build-mcp-app/references/directory-checklist.md',
    read_on,
  },
  openaiGuidelines: { url: 'https://developers.openai.com/apps-sdk/app-submission-guidelines', read_on },
  openaiSubmission: { url: 'https://developers.openai.com/apps-sdk/deploy/submission', read_on },
  openaiAuthentication: { url: 'https://developers.openai.com/apps-sdk/build/auth', read_on },
  openaiFunctions: { url: 'https://platform.openai.com/docs/guides/function-calling', read_on },
  mcpTools: { url: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools', read_on },
  registrySchema: {
    url: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    read_on,
  },
  registryNames: { url: 'https://modelcontextprotocol.io/registry/authentication', read_on },
  registryRequirements: {
    url: 'https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/official-registry-requirements.md',
    read_on,
  },
} as const satisfies Record<string, Source>;

/** `level`: the status of a violation. */
type Applied = { level: Exclude<CheckStatus, 'pass'>; source: Source };

type Rule = {
  title: string;
  /** What the report says if nothing violates it. */
  pass: string;
  /** A directory that is not named does not ask for it. */
  applies: Partial<Record<Directory, Applied>>;
};

const fail = (source: Source): Applied => ({ level: 'fail', source });
const warning = (source: Source): Applied => ({ level: 'warning', source });
const manual = (source: Source): Applied => ({ level: 'manual', source });

const listingRule = (what: string, applies: Rule['applies']): Rule => ({
  title: `${what} in the listing`,
  pass: 'The listing has this field.',
  applies,
});

/** In the order of the report. */
const rules = {
  tools_enabled: {
    title: 'Tools',
    pass: 'There are enabled tools.',
    applies: {
      claude: fail(sources.claudeDirectoryFaq),
      chatgpt: fail(sources.openaiGuidelines),
      registry: warning(sources.registryRequirements),
    },
  },
  hints_set: {
    title: 'Hints set by a person',
    pass: 'A person set every hint of every tool.',
    applies: { claude: fail(sources.claudeFaq), chatgpt: fail(sources.openaiGuidelines) },
  },
  titles_set: {
    title: 'Titles',
    pass: 'Every tool has a title.',
    applies: { claude: fail(sources.claudeFaq), chatgpt: warning(sources.openaiGuidelines) },
  },
  name_length: {
    title: 'Names of at most 64 characters',
    pass: 'No name is longer than 64 characters.',
    applies: { claude: fail(sources.claudeChecklist), chatgpt: fail(sources.openaiFunctions) },
  },
  description_text: {
    title: 'Descriptions of 20 to 1,024 characters',
    pass: 'Every description has 20 to 1,024 characters, none of them invisible.',
    applies: { claude: fail(sources.claudePolicy), chatgpt: fail(sources.openaiGuidelines) },
  },
  reads_and_destroys: {
    title: 'Reading and destructive actions are separate',
    pass: 'No tool both reads and makes destructive changes.',
    applies: { claude: fail(sources.claudePolicy), chatgpt: fail(sources.openaiGuidelines) },
  },
  confirmation: {
    title: 'Approval of destructive calls',
    pass: 'Every destructive tool requires approval, or no tool is destructive.',
    applies: { claude: warning(sources.mcpTools), chatgpt: warning(sources.openaiGuidelines) },
  },
  result_tokens: {
    title: 'Results below 25,000 tokens',
    pass: "In the last 7 days, 95 % of every tool's results were below 25,000 tokens.",
    applies: { claude: fail(sources.claudeFaq), chatgpt: fail(sources.openaiGuidelines) },
  },
  schema_violations: {
    title: 'Results that match their schema',
    pass: "In the last 7 days, fewer than 1 % of every tool's results violated their schema.",
    applies: { claude: fail(sources.mcpTools), chatgpt: fail(sources.mcpTools) },
  },
  limits_set: {
    title: 'Limits on tool calls',
    pass: 'Tool calls are limited.',
    applies: { claude: warning(sources.mcpTools), chatgpt: warning(sources.mcpTools) },
  },
  public_address: {
    title: 'Public HTTPS URL',
    pass: "The server's URL is a public name with HTTPS.",
    applies: {
      claude: fail(sources.claudeCallback),
      chatgpt: fail(sources.openaiSubmission),
      registry: fail(sources.registryRequirements),
    },
  },
  oauth: {
    title: 'Sign-in with OAuth',
    pass: 'People sign in with OAuth and PKCE, and clients can use a metadata document.',
    applies: {
      claude: fail(sources.claudeAuthentication),
      chatgpt: fail(sources.openaiAuthentication),
      registry: warning(sources.registryRequirements),
    },
  },
  redirect_allowed: {
    title: 'Redirect to the directory',
    pass: "One of the project's OAuth clients allows a redirect to the directory.",
    applies: { claude: warning(sources.claudeCallback), chatgpt: warning(sources.openaiAuthentication) },
  },
  listing_description: listingRule('Description', {
    claude: fail(sources.claudeDirectoryFaq),
    chatgpt: fail(sources.openaiSubmission),
    registry: fail(sources.registrySchema),
  }),
  listing_privacy_url: listingRule('Privacy policy', {
    claude: fail(sources.claudePolicy),
    chatgpt: fail(sources.openaiGuidelines),
  }),
  listing_terms_url: listingRule('Terms of service', {
    claude: warning(sources.claudePolicy),
    chatgpt: fail(sources.openaiSubmission),
  }),
  listing_support_email: listingRule('Support contact', {
    claude: fail(sources.claudePolicy),
    chatgpt: fail(sources.openaiGuidelines),
  }),
  listing_homepage_url: listingRule('Home page', {
    claude: warning(sources.claudePolicy),
    chatgpt: fail(sources.openaiSubmission),
    registry: warning(sources.registrySchema),
  }),
  listing_icon_url: listingRule('Icon', {
    claude: warning(sources.claudeDirectoryFaq),
    chatgpt: fail(sources.openaiSubmission),
    registry: warning(sources.registrySchema),
  }),
  listing_version: listingRule('Version', { registry: fail(sources.registrySchema) }),
  server_json: {
    title: 'server.json',
    pass: "The entry is valid against the registry's schema.",
    applies: { registry: fail(sources.registrySchema) },
  },
  domain_verification: {
    title: 'Domain verification',
    pass: "OpenAI's challenge is served.",
    applies: { chatgpt: manual(sources.openaiSubmission), registry: manual(sources.registryNames) },
  },
  reviewer_account: {
    title: 'Account for reviewers',
    pass: '',
    applies: { claude: manual(sources.claudePolicy), chatgpt: manual(sources.openaiSubmission) },
  },
  definitions_changed: {
    title: 'Changes since the last submission',
    pass: 'No definition has changed since the last submission.',
    applies: {
      claude: warning(sources.claudePolicy),
      chatgpt: warning(sources.openaiSubmission),
      registry: warning(sources.registryRequirements),
    },
  },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;

export const directoryRules: Readonly<Record<RuleId, Rule>> = rules;

export const ruleIds = Object.keys(rules) as RuleId[];

/** Which field of the listing a rule is about. */
export const listingFieldOf = (rule: RuleId): ListingField | null =>
  rule.startsWith('listing_') ? (rule.slice('listing_'.length) as ListingField) : null;

/** The rules that a directory has, with what they mean there. */
export const rulesOf = (directory: Directory): { id: RuleId; rule: Rule; applied: Applied }[] =>
  ruleIds.flatMap((id) => {
    const rule = directoryRules[id];
    const applied = rule.applies[directory];
    return applied ? [{ id, rule, applied }] : [];
  });

/** When the newest of the pages was read that state the rules of a directory. */
export const rulesDate = (directory: Directory): string =>
  rulesOf(directory)
    .map(({ applied }) => applied.source.read_on)
    .reduce((newest, date) => (date > newest ? date : newest));
