// One word for each thing, in what users read and in our code. docs/glossary.md lists the words; those that were replaced do not come back.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSync } from 'oxc-parser';
import { pages, readPage, root, splitPage } from './support/markdown.ts';

/** What is not written any more, what stands for it, and the sentences or files in which it is right. */
type Term = { not: RegExp; but: string; except?: RegExp };

/** A URL, and not an IP or email address. */
const ADDRESS_OF_WEB =
  /\b(HTTPS?|MCP|callback|base|redirect) address(es)?\b|\b(open|opens|opened|fetch|fetches) (an |the )?address(es)?\b|\baddress(es)? of (a|the) (endpoint|page|operation|tool|toolset)\b/i;

/** In pages, and in the texts of the API, the dashboard and the command line. */
const inTexts: Term[] = [
  { not: /\b(a|one) yes\b|\bsa(y|ys|id) yes\b/i, but: 'approval, approve' },
  { not: /\bat once\b/i, but: 'immediately, at the same time' },
  { not: /\bbeside\b/i, but: 'next to, besides' },
  { not: /\b(session|token|secret|credential|grant|old one|assertion)s? ends?\b/i, but: 'expires, is revoked' },
  // A person and a model answer, an API responds.
  {
    not: /\banswer(s|ed|ing)?\b/i,
    but: 'response, respond',
    except: /Claude|\bAgents\b|\bmodels?\b|\bperson\b|`answer`/i,
  },
  { not: /\brepl(y|ies|ied)\b/i, but: 'response, respond', except: /return reply\(/ },
  { not: /\bverbs?\b/i, but: 'operation, method', except: /in an API \(/ },
  // The API has this status for keys, and this message.
  { not: /\binactive\b/i, but: 'disabled', except: /Invalid or inactive API key|\bkeys?\b|unknown, inactive|” is / },
  { not: /\bswitch(es|ed)? off\b/i, but: 'disable, disabled' },
  { not: ADDRESS_OF_WEB, but: 'URL' },
  { not: /\bmembers? of (a|the|an|each) (response|request|body|payload|object|item)\b/i, but: 'field' },
  { not: /\bfirst organization\b/i, but: "the operator's organization" },
  { not: /\bsiblings?\b/i, but: 'quota group' },
  { not: /\bletter by letter\b/i, but: 'exactly' },
  { not: /\bwhat a model gets of\b/i, but: 'trim responses before models see them' },
  { not: /\bfor nobody and for a member\b/i, but: 'with and without a user' },
  { not: /\bdoes not decide about it\b/i, but: "callers can't approve their own calls" },
  { not: /\bsays something else than\b/i, but: 'contradicts' },
  { not: /\bsees every tool sees it\b/i, but: 'visible only to callers with access to all tools' },
  { not: /\bgoes the whole way\b/i, but: 'runs a complete test sign-in' },
  { not: /\brepeated for an `?Idempotency-Key\b/i, but: 'idempotent replays' },
  { not: /\bcredential of the caller\b/i, but: "the caller's credential" },
  { not: /\bcould name people\b/i, but: 'could impersonate your users' },
  // A text contains, shows or explains something: only people say it.
  {
    not: /\bsays (what|which|why|how|who|where|when|so)\b/i,
    but: 'shows, lists, explains, contains',
  },
  // The title of a test that ARCHITECTURE.md quotes keeps its words.
  {
    not: /\bnames (the|what|which|who|its|it|them|those|every|no)\b/i,
    but: 'lists, identifies, shows',
    except: /`code`: names it/,
  },
  { not: /\balso (if|when|while)\b/i, but: 'even if, even while' },
  { not: /\b(until|since) when\b/i, but: 'until this time, since this time' },
  { not: /\btells? (your|the) backend\b/i, but: 'notifies' },
  { not: /\bexists already\b/i, but: 'already exists' },
  { not: /\bunless given\b/i, but: 'default:' },
  { not: /\b(no|any) \w+ of yours\b/i, but: 'none of your' },
  { not: /\bhardly\b/i, but: 'rarely' },
  { not: /\bof the \w+ of the \w+ of (the|a|an)\b/i, but: 'a possessive, or two sentences' },
  { not: /\bhas the member\b/i, but: 'has the field' },
  { not: /\bgo(es)? on by itself\b/i, but: 'continues by itself' },
  { not: /\bwithout end\b/i, but: 'endlessly' },
  { not: /\bthe same holds\b/i, but: 'the same is true' },
  { not: /\bin place of\b/i, but: 'instead of' },
  { not: /” is (deleted|saved|created|added|synced)\b/, but: '“name” saved' },
];

/** In comments and names. `except` is a file: people answer questions, and Fastify calls the object of a response `reply`. */
const inCode: Term[] = [
  { not: /\b(a|one) yes\b/i, but: 'approval' },
  {
    not: /answer/i,
    but: 'response, respond',
    except:
      /approvals\/|elicitation|relayed-question|effective-tools\/explain|analytics\/|trace|log-streams.ts|database\/columns|api\/(create|run-once)|sdk\/src\/types|oauth-provider-error/,
  },
  { not: /(^|[^a-z])verbs?($|[^a-z])/i, but: 'operation', except: /search\/terms/ },
  { not: /\brepl(ies|ied)\b/i, but: 'response, respond' },
  { not: ADDRESS_OF_WEB, but: 'URL' },
];

/** The glossary quotes the words that were replaced. */
const PAGES = pages.filter((page) => page !== 'docs/glossary.md');
const texts = globSync(
  [
    '{contract,dashboard,cli}/src/**/*.{ts,tsx}',
    'site/{generate,src}/**/*.ts',
    'server/src/{config,commands,pages,errors}/**/*.ts',
    'server/src/{features,http,mcp,mcp-client,openid,outbound}/**/*.ts',
  ],
  { cwd: root, exclude: ['**/*.test.ts'] },
);
const code = globSync('{contract,dashboard,cli,sdk,server}/src/**/*.{ts,tsx}', { cwd: root });

const found = (terms: Term[], text: string, context = text) =>
  terms.filter(({ not, except }) => not.test(text) && !except?.test(context)).map(({ not, but }) => `${not} → ${but}`);

/** Every node of a file, with those inside of it. */
function* nodesOf(node: unknown): Generator<Record<string, any>> {
  if (Array.isArray(node)) for (const each of node) yield* nodesOf(each);
  else if (node !== null && typeof node === 'object') {
    if ('type' in node) yield node;
    for (const each of Object.values(node)) yield* nodesOf(each);
  }
}

const parse = (file: string) => parseSync(file, readFileSync(join(root, file), 'utf8'));

/** What may be shown: words with blanks between them. Names and codes have none. */
const textsOf = (file: string): string[] =>
  [...nodesOf(parse(file).program)]
    .filter(
      ({ type, value }) =>
        type === 'JSXText' || type === 'TemplateElement' || (type === 'Literal' && typeof value === 'string'),
    )
    .map(({ value }) => String(typeof value === 'object' ? value.cooked : value))
    .filter((text) => text.trim().includes(' '));

test('no page has a word that was replaced', () => {
  const wrong = PAGES.flatMap((page) =>
    splitPage(page, readPage(page))
      .rest.split('\n')
      .map((line) => line.replace(/`[^`]*`/g, '`code`').replace(/\]\([^)]*\)/g, ']'))
      .flatMap((line, index) => found(inTexts, line).map((term) => `${page}:${index + 1}: ${term}`)),
  );
  assert.deepEqual(wrong, []);
});

test('no text of the API, the dashboard or the command line has a word that was replaced', () => {
  const wrong = texts.flatMap((file) =>
    textsOf(file).flatMap((text) => found(inTexts, text).map((term) => `${file}: ${term}: ${text.trim()}`)),
  );
  assert.ok(texts.length > 400, 'hardly any file was read');
  assert.deepEqual(wrong, []);
});

test('no comment and no name in the code has a word that was replaced', () => {
  const wrong = code.flatMap((file) => {
    const { comments, program } = parse(file);
    const names = [...nodesOf(program)].filter(({ type }) => type === 'Identifier').map(({ name }) => String(name));
    return [...comments.map(({ value }) => value.replace(/`[^`]*`/g, '`code`')), ...new Set(names)].flatMap((text) =>
      found(inCode, text, file).map((term) => `${file}: ${term}: ${text.trim()}`),
    );
  });
  assert.deepEqual(wrong, []);
});

test('a replaced word is found where it is planted', () => {
  for (const text of [
    'Median time to a yes',
    'Only what sees every tool sees it.',
    'Goes the whole way with these fields',
    'every customer of that provider could name people here',
    'The credential of the caller ends',
    'A response that is repeated for an `Idempotency-Key`',
    'Calls are made at once',
    'The HTTPS address of its endpoint',
    'Until when the previous secret also signs requests',
    'the trace says which rule failed',
    'the refusal names the argument',
    '“Web shop” is saved',
    'X-API-Key unless given',
    'The setting of the tool of the project of the caller',
    'The events tell your backend',
  ])
    assert.notDeepEqual(found(inTexts, text), [], text);
  for (const text of [
    'readAnswer',
    'the answer of a provider',
    'every verb',
    'the address of the page',
    'opens an address',
  ])
    assert.notDeepEqual(found(inCode, text, 'server/src/app.ts'), [], text);
  assert.deepEqual(found(inTexts, 'Invalid or inactive API key'), []);
});
