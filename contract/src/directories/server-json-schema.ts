// What the MCP registry states of an entry (server.json), in its schema of 2025-12-11: every constraint, as JSON Schema 2020-12.

export const SERVER_JSON_SCHEMA_URL = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

const text = { type: 'string' };
const flag = { type: 'boolean' };
const uri = { type: 'string', format: 'uri' };
const list = (items: object) => ({ type: 'array', items });
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const oneWord = (word: string) => ({ type: 'string', enum: [word] });

const input = {
  choices: list(text),
  default: text,
  description: text,
  format: { type: 'string', enum: ['string', 'number', 'boolean', 'filepath'] },
  isRequired: flag,
  isSecret: flag,
  placeholder: text,
  value: text,
};

const transport = (type: string) => ({
  type: 'object',
  properties: { type: oneWord(type), url: { type: 'string', format: 'uri-template' }, headers: list(ref('KeyValue')) },
  required: ['type', 'url'],
});

const packageProperties = {
  registryType: text,
  registryBaseUrl: uri,
  identifier: text,
  version: { type: 'string', minLength: 1, not: { const: 'latest' } },
  fileSha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
  runtimeHint: text,
  transport: { anyOf: [ref('Stdio'), ref('StreamableHttp'), ref('Sse')] },
  runtimeArguments: list(ref('Argument')),
  packageArguments: list(ref('Argument')),
  environmentVariables: list(ref('KeyValue')),
};

const icon = {
  type: 'object',
  properties: {
    src: { type: 'string', format: 'uri', maxLength: 255 },
    mimeType: {
      type: 'string',
      enum: ['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp'],
    },
    sizes: list({ type: 'string', pattern: '^(\\d+x\\d+|any)$' }),
    theme: { type: 'string', enum: ['light', 'dark'] },
  },
  required: ['src'],
};

export const serverJsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    $schema: uri,
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', maxLength: 255 },
    websiteUrl: uri,
    repository: {
      type: 'object',
      properties: { url: uri, source: text, id: text, subfolder: text },
      required: ['url', 'source'],
    },
    icons: list(icon),
    packages: list({
      type: 'object',
      properties: packageProperties,
      required: ['registryType', 'identifier', 'transport'],
    }),
    remotes: list({
      anyOf: [ref('StreamableHttp'), ref('Sse')],
      type: 'object',
      properties: { variables: { type: 'object', additionalProperties: ref('Input') } },
    }),
    _meta: {
      type: 'object',
      properties: { 'io.modelcontextprotocol.registry/publisher-provided': { type: 'object' } },
    },
  },
  required: ['name', 'description', 'version'],
  $defs: {
    Input: { type: 'object', properties: input },
    InputWithVariables: {
      type: 'object',
      properties: { ...input, variables: { type: 'object', additionalProperties: ref('Input') } },
    },
    KeyValue: { allOf: [ref('InputWithVariables')], properties: { name: text }, required: ['name'] },
    Argument: {
      allOf: [ref('InputWithVariables')],
      anyOf: [
        {
          properties: { type: oneWord('positional'), valueHint: text, isRepeated: flag },
          required: ['type'],
          anyOf: [{ required: ['valueHint'] }, { required: ['value'] }],
        },
        { properties: { type: oneWord('named'), name: text, isRepeated: flag }, required: ['type', 'name'] },
      ],
    },
    Stdio: { type: 'object', properties: { type: oneWord('stdio') }, required: ['type'] },
    StreamableHttp: transport('streamable-http'),
    Sse: transport('sse'),
  },
};
