// An API whose OpenAPI document has every kind of parameter and body that an import supports, each with rules that a mock made from
// the document checks; and arguments for its operations that follow the rules.

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const order = {
  type: 'object',
  required: ['customer', 'lines'],
  additionalProperties: false,
  properties: {
    customer: { type: 'string', pattern: '^C-\\d+$' },
    lines: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['sku', 'quantity'],
        properties: { sku: text, quantity: { type: 'integer', minimum: 1 } },
      },
    },
    note: { type: ['string', 'null'] },
  },
};
const id = { name: 'order_id', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z]+/\\d+$' } };
const body = (type: string, schema: object, encoding?: object) => ({
  requestBody: { required: true, content: { [type]: { schema, ...(encoding && { encoding }) } } },
});
const responses = { 200: { description: 'Done', content: { 'application/json': { schema: { type: 'object' } } } } };
const FORM = 'application/x-www-form-urlencoded';
const bearer = [{ token: [] }];

export const validatedApi = (url: string) => ({
  openapi: '3.1.0',
  info: { title: 'Validated', version: '1' },
  servers: [{ url }],
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'query', name: 'api_key' },
    },
  },
  paths: {
    '/orders': {
      get: {
        operationId: 'list_orders',
        security: [{ key: [] }],
        parameters: [
          { name: 'status', in: 'query', required: true, schema: { enum: ['open', 'sent'] } },
          { name: 'tags', in: 'query', schema: { ...texts, minItems: 2 } },
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 10 } },
          { name: 'is_paid', in: 'query', schema: { type: 'boolean' } },
          { name: 'X-Tenant', in: 'header', required: true, schema: { type: 'string', minLength: 3 } },
        ],
        responses,
      },
      post: { operationId: 'create_order', security: bearer, ...body('application/json', order), responses },
    },
    '/orders/{order_id}': {
      get: {
        operationId: 'get_order',
        security: bearer,
        parameters: [id, { name: 'region', in: 'cookie', required: true, schema: { enum: ['eu', 'us'] } }],
        responses,
      },
      put: {
        operationId: 'replace_order',
        security: bearer,
        parameters: [id, { name: 'version', in: 'query', required: true, schema: { type: 'integer' } }],
        ...body('application/json', order),
        responses,
      },
      patch: {
        operationId: 'change_order',
        security: bearer,
        parameters: [id],
        ...body('application/json', {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['op', 'path'],
            properties: { op: { enum: ['replace'] }, path: text, value: {} },
          },
        }),
        responses,
      },
      delete: {
        operationId: 'delete_order',
        security: bearer,
        parameters: [id, { name: 'reason', in: 'query', required: true, schema: { type: 'string', minLength: 3 } }],
        responses,
      },
    },
    '/charges': {
      post: {
        operationId: 'charge',
        security: bearer,
        ...body(
          FORM,
          {
            type: 'object',
            required: ['amount', 'card', 'tags'],
            properties: {
              amount: { type: 'integer', minimum: 1 },
              is_captured: { type: 'boolean' },
              card: { type: 'object', required: ['number'], properties: { number: { type: 'string', minLength: 12 } } },
              tags: { ...texts, minItems: 2 },
              ids: { ...texts, minItems: 2 },
            },
          },
          {
            card: { style: 'deepObject', explode: true },
            tags: { style: 'pipeDelimited' },
            ids: { style: 'form', explode: false },
          },
        ),
        responses,
      },
    },
    '/messages': {
      post: {
        operationId: 'send_message',
        security: bearer,
        // Of a list that is repeated, the mock reads the last item only.
        ...body(
          FORM,
          {
            type: 'object',
            required: ['To', 'Body', 'MediaUrl'],
            properties: {
              To: { type: 'string', pattern: '^\\+\\d+$' },
              Body: text,
              MediaUrl: { ...texts, minItems: 1 },
            },
          },
          { MediaUrl: { style: 'form', explode: true } },
        ),
        responses,
      },
    },
    '/documents': {
      post: {
        operationId: 'upload_document',
        security: bearer,
        ...body('multipart/form-data', {
          type: 'object',
          required: ['title', 'document'],
          properties: { title: { type: 'string', minLength: 3 }, document: { type: 'string', format: 'binary' } },
        }),
        responses,
      },
    },
    '/rows': { post: { operationId: 'import_rows', security: bearer, ...body('text/csv', text), responses } },
  },
});

const lines = [{ sku: 'tea', quantity: 2 }];

/** By operation. What is in the path, in texts and in names needs to be encoded. */
export const validArguments: Record<string, object> = {
  list_orders: { status: 'open', tags: ['new', 'a & b'], limit: 10, is_paid: false, X_Tenant: 'acme' },
  create_order: { customer: 'C-7', lines, note: null },
  get_order: { order_id: 'ord/7', region: 'eu' },
  replace_order: { order_id: 'ord/7', version: 3, customer: 'C-7', lines },
  change_order: { order_id: 'ord/7', body: [{ op: 'replace', path: '/note', value: 'ü' }] },
  delete_order: { order_id: 'ord/7', reason: 'a mistake' },
  charge: {
    amount: 4200,
    is_captured: true,
    card: { number: '4242424242424242' },
    tags: ['a+b', 'c=d'],
    ids: ['x', 'y'],
  },
  send_message: {
    To: '+49301234',
    Body: 'Ümläut & more',
    MediaUrl: ['https://a.example/1?x=1&y=2', 'https://a.example/2'],
  },
  upload_document: { title: 'Report "Q1"', document: 'data:application/pdf;base64,JVBERi0xLjc=' },
  import_rows: { body: 'sku,pieces\ntea,3\n' },
};

/** What the mock refuses: that it accepts the calls means something. It does not look at cookies. */
export const invalidArguments: Record<string, object> = {
  list_orders: { tags: ['only one'] },
  create_order: { customer: 'seven' },
  get_order: { order_id: 'seven' },
  replace_order: { version: 'three' },
  change_order: { body: [] },
  delete_order: { reason: 'x' },
  charge: { card: { number: '42' } },
  send_message: { To: 'nobody' },
  upload_document: { title: 'Q' },
};
