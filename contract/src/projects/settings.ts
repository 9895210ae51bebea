// The settings of a project that may be changed.

import { z } from 'zod';
import { APPROVAL_PLACEHOLDER } from '../approvals/rules.ts';
import { text } from '../fields.ts';
import {
  DEFAULT_FILE_RETENTION_SECONDS,
  MAX_FILE_RETENTION_SECONDS,
  MIN_FILE_RETENTION_SECONDS,
} from '../files/rules.ts';
import { MAX_NAME_LENGTH } from '../text-limits.ts';
import { defaultListing, listing, listingChange } from './listing.ts';
import { memberAccess } from './member-access.ts';
import { MAX_INSTRUCTIONS_LENGTH, MAX_RESPONSE_BYTES, MIN_RESPONSE_BYTES, oauthMemberIds } from './rules.ts';

const MIB = 1024 * 1024;

/** A page that browsers of members are sent to. */
const pageAddress = text(1, 2048).refine(isPageAddress, 'must be an https:// URL without user name or fragment');

const fields = {
  mcp_server_name: text(1, MAX_NAME_LENGTH)
    .nullable()
    .meta({ description: "Name of the MCP server; null: the project's name" }),
  mcp_instructions: text(1, MAX_INSTRUCTIONS_LENGTH)
    .nullable()
    .meta({ description: 'Instructions that the MCP server sends to a client when it connects' }),
  max_response_bytes: z.int().min(MIN_RESPONSE_BYTES).max(MAX_RESPONSE_BYTES).meta({
    description:
      "How many bytes of your API's response are read: longer JSON is cut off, and longer text becomes a file",
    example: MIB,
  }),
  record_payloads: z.boolean().meta({
    description:
      'Whether arguments and results of tool calls are stored, encrypted, for `admin` to read in the call log',
  }),
  redact_fields: z
    .array(text(1, 128))
    .max(100)
    .meta({
      description:
        'Fields whose values are replaced before arguments and results are stored, at any depth and in JSON, forms, XML and YAML inside of texts. Case and separators do not matter',
      example: ['iban', 'date_of_birth'],
    }),
  oauth_member_id: z.enum(oauthMemberIds).meta({
    description:
      'The external id of a person who signs in with OAuth: `<provider>:<subject>`, or the email address that the provider verified. In production projects, only callers with `admin` can change it',
  }),
  member_access: memberAccess,
  confirm_destructive: z.boolean().meta({
    description:
      'Whether the user has to approve calls to every tool with `destructiveHint` that has no `confirm` of its own',
  }),
  file_retention_seconds: z
    .int()
    .min(0)
    .max(MAX_FILE_RETENTION_SECONDS)
    .refine(
      (seconds) => seconds === 0 || seconds >= MIN_FILE_RETENTION_SECONDS,
      `must be 0, or from ${MIN_FILE_RETENTION_SECONDS} to ${MAX_FILE_RETENTION_SECONDS}`,
    )
    .meta({
      description: `How long to keep files that are uploaded or that tools return: ${MIN_FILE_RETENTION_SECONDS} to ${MAX_FILE_RETENTION_SECONDS} seconds; 0: files are not stored`,
      example: DEFAULT_FILE_RETENTION_SECONDS,
    }),
  approval_url: pageAddress
    .refine((url) => url.includes(APPROVAL_PLACEHOLDER), `must contain ${APPROVAL_PLACEHOLDER}`)
    .nullable()
    .meta({
      description: `The URL of your own page where a member approves or declines a call, instead of /approve/{id}; \`${APPROVAL_PLACEHOLDER}\` is replaced by the approval's id. In production projects, only callers with \`admin\` can change it`,
      example: 'https://app.example.com/approve?id={id}',
    }),
  connect_url: pageAddress.nullable().meta({
    description:
      'The URL of your page where a member whom you identify with an assertion connects an account: its backend requests a URL with `POST …/oauth-connections/authorize`. In production projects, only callers with `admin` can change it',
    example: 'https://app.example.com/connect',
  }),
};

function isPageAddress(url: string): boolean {
  const parsed = URL.parse(url.replaceAll(APPROVAL_PLACEHOLDER, 'id'));
  const is_loopback = parsed?.hostname === '127.0.0.1' || parsed?.hostname === 'localhost';
  if (!parsed || !(parsed.protocol === 'https:' || (parsed.protocol === 'http:' && is_loopback))) return false;
  return parsed.username === '' && parsed.password === '' && parsed.hash === '' && !/[\s\\]/.test(url);
}

export const projectSettings = z.strictObject({ ...fields, listing }).meta({ id: 'ProjectSettings' });

export type ProjectSettings = z.infer<typeof projectSettings>;

/** For settings that were never changed. */
export const defaultSettings: ProjectSettings = {
  mcp_server_name: null,
  mcp_instructions: null,
  max_response_bytes: MIB,
  record_payloads: false,
  redact_fields: [],
  oauth_member_id: 'subject',
  member_access: { default: null, rules: [] },
  confirm_destructive: false,
  file_retention_seconds: DEFAULT_FILE_RETENTION_SECONDS,
  approval_url: null,
  connect_url: null,
  listing: defaultListing,
};

export const projectSettingsChange = z
  .strictObject({ ...fields, listing: listingChange })
  .partial()
  .meta({ id: 'ProjectSettingsChange' });

export type ProjectSettingsChange = z.infer<typeof projectSettingsChange>;
