// The report of what a directory of MCP servers would refuse, what was submitted, and the entry for the MCP registry.

import { z } from 'zod';
import { pageQuery, timestamp } from '../fields.ts';
import { checkStatuses, directories, ruleIds } from './rules.ts';

const directory = z.enum(directories).meta({
  description: 'The Claude connectors directory, the ChatGPT app directory, or the MCP registry',
});

export const directoryQuery = z.strictObject({ for: directory });

const check = z.strictObject({
  id: z.enum(ruleIds).meta({ description: 'Which rule; one rule may have several entries, one for each tool' }),
  status: z.enum(checkStatuses).meta({
    description: '`manual`: only a person can check it. `warning`: it does not block a submission',
  }),
  tool_id: z.string().nullable().meta({ description: 'The tool that the entry is about; null: the whole project' }),
  message: z.string().meta({ description: 'What was found' }),
  remedy: z.string().meta({ description: 'How to fix it, and the page that states the rule' }),
});

export type DirectoryCheck = z.infer<typeof check>;

export const directoryReport = z
  .strictObject({
    object: z.literal('directory_report'),
    for: directory,
    rules_date: z.string().meta({
      description: "When we last read the directory's rules",
      format: 'date',
      example: '2026-11-17',
    }),
    checks: z.array(check).meta({
      description: 'In the order of the rules. Each rule lists at most 50 tools; one more entry counts the rest',
    }),
  })
  .meta({ id: 'DirectoryReport' });

export type DirectoryReport = z.infer<typeof directoryReport>;

export const directorySubmission = z
  .strictObject({
    id: z.string(),
    object: z.literal('directory_submission'),
    project_id: z.string(),
    for: directory,
    version: z.string().nullable().meta({ description: '`listing.version` at that time' }),
    tool_count: z.int().meta({ description: 'How many enabled tools there were' }),
    created_at: timestamp,
    created_by: z.string().meta({ description: 'Id of the key or person that recorded it, or `root`' }),
  })
  .meta({ id: 'DirectorySubmission' });

export type DirectorySubmission = z.infer<typeof directorySubmission>;

export const newDirectorySubmission = z.strictObject({ for: directory }).meta({ id: 'NewDirectorySubmission' });

export type NewDirectorySubmission = z.infer<typeof newDirectorySubmission>;

export const submissionQuery = pageQuery.extend({
  for: directory.optional().meta({ description: 'Only submissions to this directory' }),
});

export const serverJson = z
  .strictObject({
    $schema: z.string().meta({ description: 'The registry schema that the file follows' }),
    name: z.string().meta({
      description: "The reversed domain of the public URL, and the server's name",
      example: 'com.example.tools/shop',
    }),
    title: z.string().meta({ description: "The MCP server's name, at most 100 characters" }),
    description: z.string().meta({ description: 'The beginning of `listing.description`, at most 100 characters' }),
    version: z.string().meta({ description: '`listing.version`' }),
    websiteUrl: z.string().optional().meta({ description: '`listing.homepage_url`' }),
    icons: z
      .array(z.strictObject({ src: z.string().meta({ description: '`listing.icon_url`' }) }))
      .optional()
      .meta({ description: 'The icon' }),
    remotes: z
      .array(
        z.strictObject({
          type: z.literal('streamable-http').meta({ description: 'The MCP transport' }),
          url: z.string().meta({ description: "The project's MCP endpoint" }),
        }),
      )
      .meta({ description: 'Where the server runs' }),
  })
  .meta({ id: 'ServerJson' });

export type ServerJson = z.infer<typeof serverJson>;
