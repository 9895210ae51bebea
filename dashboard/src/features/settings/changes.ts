// The settings as fields of one form: read from the project, compared with it, and sent as two changes.

import { plans } from '@toolgate/contract/projects/plans.ts';
import {
  environments,
  MAX_INSTRUCTIONS_LENGTH,
  MAX_RESPONSE_BYTES,
  MIN_RESPONSE_BYTES,
  oauthMemberIds,
} from '@toolgate/contract/projects/rules.ts';
import type { Project, Toolgate } from '@toolgate/sdk';
import * as z from 'zod/mini';
import type { Difference } from '../../ui/forms/save-bar.tsx';
import { atMost, optionalName, resourceName } from '../../ui/forms/schemas.ts';
import { fileRetentionText } from './file-retention.ts';
import { describeRules, readRules, rulesProblem, writeRules } from './member-rules.ts';

const wholeNumber = (least: number, most: number) =>
  z.string().check(
    z.refine(
      (text) => {
        const number = Number(text);
        return Number.isInteger(number) && number >= least && number <= most;
      },
      `Enter a whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}`,
    ),
  );

export const settingsSchema = z.object({
  name: resourceName,
  environment: z.enum(environments),
  plan: z.enum(plans),
  requests_per_hour: z.string().check(z.regex(/^\d*$/, 'Enter a whole number, or leave it empty for 100,000')),
  mcp_server_name: optionalName,
  mcp_instructions: z.string().check(z.trim(), atMost(MAX_INSTRUCTIONS_LENGTH)),
  max_response_bytes: wholeNumber(MIN_RESPONSE_BYTES, MAX_RESPONSE_BYTES),
  file_retention_seconds: z.string(),
  record_payloads: z.boolean(),
  /** One name in each line. */
  redact_fields: z.string(),
  oauth_member_id: z.enum(oauthMemberIds),
  confirm_destructive: z.boolean(),
  approval_url: z.string().check(z.trim()),
  connect_url: z.string().check(z.trim()),
  /** As text: a form compares texts, and would put the lists of two people together place by place. */
  member_access: z
    .string()
    .check(
      z.refine((text) => rulesProblem(text) === null, { error: ({ input }) => rulesProblem(String(input)) ?? '' }),
    ),
});

export type SettingsValues = z.infer<typeof settingsSchema>;
type Name = keyof SettingsValues;

export const labels: Record<Name, string> = {
  name: 'Project name',
  environment: 'Environment',
  plan: 'Plan',
  requests_per_hour: 'Requests per hour',
  mcp_server_name: 'MCP server name',
  mcp_instructions: 'MCP instructions',
  max_response_bytes: 'Largest response',
  file_retention_seconds: 'Keep files for',
  record_payloads: 'Record arguments and results',
  redact_fields: 'Redacted fields',
  oauth_member_id: 'Member id after an OAuth sign-in',
  member_access: 'Tools for members',
  confirm_destructive: 'Confirm destructive tools',
  approval_url: 'Your approval page',
  connect_url: 'Your connect page',
};

export function valuesOf({ name, environment, plan, requests_per_hour, settings }: Project): SettingsValues {
  return {
    name,
    environment,
    plan,
    requests_per_hour: requests_per_hour === null ? '' : String(requests_per_hour),
    mcp_server_name: settings.mcp_server_name ?? '',
    mcp_instructions: settings.mcp_instructions ?? '',
    max_response_bytes: String(settings.max_response_bytes),
    file_retention_seconds: String(settings.file_retention_seconds),
    record_payloads: settings.record_payloads,
    redact_fields: settings.redact_fields.join('\n'),
    oauth_member_id: settings.oauth_member_id,
    member_access: writeRules(settings.member_access),
    confirm_destructive: settings.confirm_destructive,
    approval_url: settings.approval_url ?? '',
    connect_url: settings.connect_url ?? '',
  };
}

export function differences(before: SettingsValues, after: SettingsValues): (Difference & { name: Name })[] {
  return (Object.keys(labels) as Name[])
    .filter((name) => !isSame(name, before, after))
    .map((name) => ({
      name,
      label: labels[name],
      before: inWords(name, before[name]),
      after: inWords(name, after[name]),
    }));
}

function isSame(name: Name, before: SettingsValues, after: SettingsValues): boolean {
  if (name === 'redact_fields') return lines(before[name]).join('\n') === lines(after[name]).join('\n');
  return before[name] === after[name];
}

function inWords(name: Name, value: string | boolean): string {
  if (name === 'member_access') return describeRules(String(value));
  if (name === 'file_retention_seconds') return fileRetentionText(Number(value));
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return lines(value).join(', ') || 'none';
}

const lines = (text: string) =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

const projectFields: readonly Name[] = ['name', 'environment', 'plan', 'requests_per_hour'];

/** Sends only what changed: a field that the person may not change is not sent. */
export async function saveSettings(api: Toolgate, project: Project, values: SettingsValues): Promise<void> {
  const changed = differences(valuesOf(project), values).map(({ name }) => name);
  const sent: Record<Name, unknown> = {
    ...values,
    requests_per_hour: values.requests_per_hour === '' ? null : Number(values.requests_per_hour),
    mcp_server_name: values.mcp_server_name || null,
    mcp_instructions: values.mcp_instructions || null,
    max_response_bytes: Number(values.max_response_bytes),
    file_retention_seconds: Number(values.file_retention_seconds),
    redact_fields: lines(values.redact_fields),
    member_access: readRules(values.member_access),
    approval_url: values.approval_url || null,
    connect_url: values.connect_url || null,
  };
  const pick = (wanted: (name: Name) => boolean) =>
    Object.fromEntries(changed.filter(wanted).map((name) => [name, sent[name]]));
  const ofProject = pick((name) => projectFields.includes(name));
  const ofSettings = pick((name) => !projectFields.includes(name));
  if (Object.keys(ofProject).length > 0) await api.projects.update(project.id, ofProject);
  if (Object.keys(ofSettings).length > 0) await api.projects.settings.update(project.id, ofSettings);
}
