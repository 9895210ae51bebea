// The settings of a project that may be changed; access/project.ts has their defaults.

import { z } from 'zod';
import { text } from '../../api/fields.ts';

const MIB = 1024 * 1024;

const fields = {
  mcp_server_name: text(1, 128)
    .nullable()
    .meta({ description: 'Name of the MCP server; null: the name of the project' }),
  mcp_instructions: text(1, 8192)
    .nullable()
    .meta({ description: 'Instructions that the MCP server sends to a client when it connects' }),
  max_response_bytes: z
    .int()
    .min(1024)
    .max(2 * MIB)
    .meta({ description: "How many bytes of your API's response are read; the rest is cut off", example: MIB }),
  record_payloads: z.boolean().meta({
    description: 'Whether arguments and results of tool calls are kept, sealed, for `admin` to read in the call log',
  }),
  redact_fields: z
    .array(text(1, 128))
    .max(100)
    .meta({
      description: 'Names of fields whose values are replaced before arguments and results are kept, at any depth',
      example: ['iban', 'date_of_birth'],
    }),
  oauth_member_id: z.enum(['subject', 'email']).meta({
    description:
      'The external id of a person who signs in by OAuth: `<provider>:<subject>`, or the email address that the provider verified',
  }),
};

export const settingsSchema = z.strictObject(fields).meta({ id: 'ProjectSettings' });
export const settingsChange = z.strictObject(fields).partial().meta({ id: 'ProjectSettingsChange' });

export type SettingsChange = z.infer<typeof settingsChange>;
