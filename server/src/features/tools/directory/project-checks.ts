// The rules about a project: its URL, its sign-in, its limits and its listing.

import {
  callbacks,
  type Directory,
  directoryNames,
  directoryRules,
  listingFieldOf,
  type RuleId,
  ruleIds,
} from '@toolgate/contract/directories/rules.ts';
import { hasHidden } from '@toolgate/contract/hidden-characters.ts';
import type { Listing } from '@toolgate/contract/projects/listing.ts';
import type { OriginProblem } from '../../../outbound/address-guard.ts';
import type { Finding } from './finding.ts';

export type ProjectFacts = {
  public_url: string;
  /** Why the URL is no public one with HTTPS; null: it is. */
  address_problem: OriginProblem | null;
  tool_count: number;
  /** Where people can sign in. */
  provider_count: number;
  /** What the authorization server says of itself. */
  has_pkce: boolean;
  takes_metadata_documents: boolean;
  /** Whether an OAuth client of the project may redirect to the directory. */
  allows_callback: boolean;
  has_limits: boolean;
  listing: Listing;
  /** Whether the challenge of OpenAI is served. */
  has_challenge: boolean;
  /** Why there is no valid server.json; null: there is. */
  server_json_problem: string | null;
};

type Check = (facts: ProjectFacts, directory: Directory) => Omit<Finding, 'rule' | 'tool_id'> | null;

const checks: Partial<Record<RuleId, Check>> = {
  tools_enabled: ({ tool_count }) =>
    tool_count > 0 ? null : { message: 'No tool is enabled.', remedy: 'Create a tool, or enable one.' },
  public_address: ({ public_url, address_problem }) =>
    address_problem === null
      ? null
      : {
          message: `${public_url} ${addressWords[address_problem]}.`,
          remedy: 'Serve it at a public host name with HTTPS, and set TOOLGATE_PUBLIC_URL to that URL.',
        },
  oauth: ({ provider_count, has_pkce, takes_metadata_documents }) => {
    if (provider_count === 0)
      return { message: 'People cannot sign in: no OAuth provider is enabled.', remedy: 'Add an OAuth provider.' };
    if (has_pkce && takes_metadata_documents) return null;
    return {
      message: 'The server does not offer PKCE with S256 or client metadata documents.',
      remedy: 'Update toolgate.',
    };
  },
  redirect_allowed: ({ allows_callback }, directory) => {
    const { exact = [], prefixes = [] } = callbacks[directory] ?? {};
    if (allows_callback) return null;
    const addresses = [...exact, ...prefixes.map((prefix) => `${prefix}…`)].join(' or ');
    return {
      message: `None of the project's OAuth clients allows a redirect to ${addresses}. An app with a metadata document does not need one.`,
      remedy: 'If you give the directory a client id, create an OAuth client with that redirect URI.',
    };
  },
  limits_set: ({ has_limits }) =>
    has_limits ? null : { message: 'Nothing limits how often tools are called.', remedy: 'Create a limit per member.' },
  server_json: ({ server_json_problem }) =>
    server_json_problem === null ? null : { message: server_json_problem, remedy: "Complete the project's listing." },
  domain_verification: ({ has_challenge }, directory) => {
    if (directory === 'chatgpt' && has_challenge) return null;
    return directory === 'chatgpt'
      ? {
          message: 'OpenAI requests a token at /.well-known/openai-apps-challenge, but none is set.',
          remedy: 'Set TOOLGATE_OPENAI_APPS_CHALLENGE to the token that OpenAI shows you.',
        }
      : {
          message: "The registry requires proof that you own the domain in the entry's name.",
          remedy: 'Add the DNS record or the file that the registry shows you when you sign in.',
        };
  },
  reviewer_account: (_, directory) => ({
    message: `Reviewers of the ${directoryNames[directory]} sign in and try every tool.`,
    remedy: 'Give them an account with sample data that needs no second factor.',
  }),
};

const addressWords: Record<OriginProblem, string> = {
  not_url: 'is not a URL',
  not_https: 'does not use HTTPS',
  not_origin: 'has more than a host name',
  bad_host: 'has no usable host name',
  bad_port: 'has a port that clients cannot reach',
  not_public: 'is not public',
};

export function checkProject(facts: ProjectFacts, directory: Directory): Finding[] {
  return ruleIds.flatMap((rule) => {
    const field = listingFieldOf(rule);
    const found = field === null ? checks[rule]?.(facts, directory) : checkListing(facts.listing, rule, field);
    return found ? [{ rule, tool_id: null, ...found }] : [];
  });
}

function checkListing(listing: Listing, rule: RuleId, field: keyof Listing): ReturnType<Check> {
  const value = listing[field];
  const { title } = directoryRules[rule];
  if (value === null) return { message: `${title}: not set.`, remedy: `Set ${field} in the listing.` };
  if (!hasHidden(value)) return null;
  return {
    message: `${title}: it has invisible characters, or characters that change the text direction.`,
    remedy: `Write ${field} in the listing with plain characters.`,
  };
}
