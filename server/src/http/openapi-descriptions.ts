// Descriptions of fields that mean the same in every resource. A schema that describes such a field itself keeps its own text.

import { timestampFormat } from '@toolgate/contract/fields.ts';

type Schema = { [keyword: string]: unknown };

const descriptions: Record<string, string> = {
  id: 'Id of this resource',
  project_id: 'Id of the project that it belongs to',
  organization_id: 'Id of the organization that it belongs to',
  created_at: 'When it was created',
  updated_at: 'When it was last changed',
};

/** Completes every schema below this value: in components, in operations and in webhooks. */
export function describeProperties<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const { properties } = value as Schema;
  if (typeof properties === 'object' && properties !== null) {
    for (const [name, property] of Object.entries(properties)) describeProperty(name, property as Schema);
  }
  for (const [keyword, part] of Object.entries(value)) if (!isData.has(keyword)) describeProperties(part);
  return value;
}

/** These contain values, not schemas. */
const isData = new Set(['example', 'examples', 'default', 'enum', 'const']);

function describeProperty(name: string, property: Schema): void {
  if ('$ref' in property) return;
  // The format alone does not say which time it is.
  if (property.description !== undefined && property.description !== timestampFormat) return;
  const text = name === 'object' && 'const' in property ? "The resource's type, always the same" : descriptions[name];
  if (text !== undefined) property.description = text;
}
