// A project's settings: what may be set, and what holds while nothing is.

import { z } from 'zod';
import type { ProjectSettings } from '../../access/caller.ts';
import { text } from '../../api/fields.ts';

const MIB = 1024 * 1024;

const defaults: ProjectSettings = { mcp_server_name: null, mcp_instructions: null, max_response_bytes: MIB };

const fields = {
  mcp_server_name: text(1, 128)
    .nullable()
    .meta({ description: 'How the MCP endpoint calls itself; null: the name of the project' }),
  mcp_instructions: text(1, 8192)
    .nullable()
    .meta({ description: 'What a model is told about the tools when it connects' }),
  max_response_bytes: z
    .int()
    .min(1024)
    .max(2 * MIB)
    .meta({ description: "How much of a customer's answer is read; the rest is cut", example: MIB }),
};

export const settingsSchema = z.strictObject(fields).meta({ id: 'ProjectSettings' });
export const settingsChange = z.strictObject(fields).partial().meta({ id: 'ProjectSettingsChange' });

export type SettingsChange = z.infer<typeof settingsChange>;

/** Only what was set is stored, so that a new default reaches everybody who never chose. */
export function completeSettings(stored: Record<string, unknown>): ProjectSettings {
  return { ...defaults, ...stored };
}
