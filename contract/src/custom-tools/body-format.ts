// How arguments become a request body: the formats, and how a form nests lists and objects. Without zod: the dashboard ships it to browsers.

export const bodyFormats = ['json', 'form', 'multipart', 'raw'] as const;

export type BodyFormat = (typeof bodyFormats)[number];

/** `repeat` and `join` take scalars only. `fields`: the members are fields themselves. `json`: one field with the JSON text. */
type Nesting = {
  list: 'repeat' | 'brackets' | 'join' | 'nested' | 'json';
  /** What `join` writes between two items. */
  separator?: string;
  /** Null: an object cannot be written in this style. */
  object: 'fields' | 'nested' | 'json' | null;
};

/** The styles of OpenAPI, and two that many APIs read instead. */
export const bodyStyles = {
  form: { list: 'repeat', object: 'fields' },
  brackets: { list: 'brackets', object: null },
  deepObject: { list: 'nested', object: 'nested' },
  spaceDelimited: { list: 'join', separator: ' ', object: null },
  pipeDelimited: { list: 'join', separator: '|', object: null },
  json: { list: 'json', object: 'json' },
} as const satisfies Record<string, Nesting>;

export type BodyStyle = keyof typeof bodyStyles;

export const bodyStyleNames = Object.keys(bodyStyles) as [BodyStyle, ...BodyStyle[]];

/** `explode` false: a list in the style `form` is one field, and an object cannot be written. */
const NOT_EXPLODED: Nesting = { list: 'join', separator: ',', object: null };

/** Without a style: lists as in `form`, objects as in `deepObject`. */
const DEFAULT: Nesting = { list: bodyStyles.form.list, object: bodyStyles.deepObject.object };

export type BodyEncoding = {
  style?: BodyStyle | undefined;
  explode?: boolean | undefined;
  content_type?: string | undefined;
};

export function nestingOf({ style, explode = true }: BodyEncoding = {}): Nesting {
  if (style === undefined) return explode ? DEFAULT : { ...NOT_EXPLODED, object: DEFAULT.object };
  return style === 'form' && !explode ? NOT_EXPLODED : bodyStyles[style];
}

/** Names inside of names: `a[b][c]` has two. */
export const MAX_NESTING = 10;

/** Whether `list` can hold objects and other lists. */
export const holdsObjects = ({ list }: Nesting) => list === 'nested' || list === 'json';

export const takesBody = (method: string) => method !== 'GET' && method !== 'DELETE';

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:; ?${TOKEN}=(?:${TOKEN}|"[ !#-\\[\\]-~]*"))*$`);

/** RFC 9110 §8.3.1, without a `*`. */
export const isMediaType = (text: string) => text.length <= 256 && MEDIA_TYPE.test(text) && !text.includes('*');

export const isJsonMediaType = (text: string) => /^application\/(?:[\w.-]+\+)?json(?:;|$)/i.test(text);
