// Credentials that are recognized by their form, wherever they are: our own, those of well-known vendors, JWTs, private keys,
// `Basic …`, `Bearer …` and URLs with a password. Every alternative begins with fixed text and is repeated over one class of
// characters, so that the time is linear.

import { findPattern, joinRanges, NOTHING, type Range, replaceRanges } from './ranges.ts';

const SECRET = '[secret]';
const SHORTEST_FORM = 8;

/** Each follows the beginning of a word. */
const forms = [
  'svc_(?:live|test|mst|ocs|ort|root)_[\\w-]+',
  '(?:whsec|hksec)_[\\w+/=-]+',
  // AWS, Alibaba, Tencent
  '(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{12,}',
  'LTAI[A-Za-z0-9]{12,}|AKID[A-Za-z0-9]{16,}',
  // GitHub, GitLab, npm, PyPI, RubyGems, Docker, Hugging Face
  'gh[pousr]_[A-Za-z0-9_]{10,}|github_pat_\\w{10,}',
  'gl(?:pat|ptt|oas|rt|cbt|dt|ft|soat|imt|agent)-[\\w.-]{10,}',
  'npm_[A-Za-z0-9]{16,}|pypi-[\\w-]{16,}|rubygems_[a-f0-9]{16,}|dckr_(?:pat|oat)_[\\w-]{10,}|hf_[A-Za-z0-9]{16,}',
  // OpenAI, Anthropic, Stripe, Groq, xAI, Perplexity, Replicate
  'sk-[\\w-]{16,}|[sr]k_(?:live|test|prod)_\\w{8,}|gsk_\\w{16,}|xai-\\w{16,}|pplx-\\w{16,}|r8_\\w{16,}',
  // Slack, Telegram, Discord
  'xox[a-z](?:-|\\.)[\\w.-]{8,}|xapp-[\\w-]{8,}|[0-9]{8,10}:AA[\\w-]{32,}|[MNO][A-Za-z0-9_-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}',
  // Google
  'AIza[\\w-]{20,}|ya29\\.[\\w.-]{10,}|1//0[\\w-]{20,}|GOCSPX-[\\w-]{10,}',
  // Shopify, Square, SendGrid, Mailgun, Twilio, Notion, Linear, Figma, Postman, Airtable
  'shp(?:at|ca|pa|ss|ua)_[A-Fa-f0-9]{16,}|sq0[a-z]{3}-[\\w-]{16,}|SG\\.[\\w-]{10,}\\.[\\w-]{10,}|key-[a-f0-9]{32}|SK[a-f0-9]{32}',
  'secret_[A-Za-z0-9]{32,}|ntn_\\w{20,}|lin_(?:api|oauth)_\\w{16,}|fig[du]_[\\w-]{16,}|PMAK-[\\w-]{20,}|pat[A-Za-z0-9]{14}\\.[a-f0-9]{40,}',
  // DigitalOcean, New Relic, Grafana, Databricks, Vault, Atlassian, Sentry, Supabase, PlanetScale, Doppler
  'do[opr]_v1_[a-f0-9]{16,}|NRAK-[A-Z0-9]{16,}|gl(?:sa|c)_[\\w=+/-]{16,}|dapi[a-f0-9]{32}|hv[sbr]\\.[\\w-]{16,}|ATATT3[\\w=-]{16,}',
  'sntry[su]_[\\w=+/-]{16,}|sbp_[a-f0-9]{20,}|sb_secret_[\\w-]{16,}|pscale_\\w+_[\\w.-]{16,}|dp\\.[a-z]{2,5}\\.\\w{16,}',
  // JWTs, age, PuTTY, and hashes of passwords
  'eyJ[\\w-]{8,}[\\w.-]*|AGE-SECRET-KEY-[A-Z0-9]{16,}|PuTTY-User-Key-File-[\\s\\S]*',
  '\\$(?:2[abxy]|argon2(?:id?|d)|scrypt|pbkdf2[\\w-]*|[156y])\\$[\\w./$=,+-]{16,}',
  // Webhooks whose URL is the credential
  'https://hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/[\\w/-]+',
  'https://(?:\\w+\\.)?discord(?:app)?\\.com/api/webhooks/\\d+/[\\w-]+',
  'https://[\\w-]+\\.webhook\\.office\\.com/[\\w/@.-]+',
  '(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|rediss?|amqps?|mssql|sqlserver)://[^\\s"\'<>]{0,1024}@[^\\s"\'<>]*',
];

/** Azure, Terraform. They can begin with anything: to look for them everywhere takes longer than for all others together. */
const markedForms = [
  { mark: 'Q~', form: '[\\w.~-]{3}\\dQ~[\\w.~-]{20,}' },
  { mark: '.atlasv1.', form: '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{20,}' },
].map(({ mark, form }) => ({ mark, pattern: new RegExp(`(?<![A-Za-z0-9_])${form}`, 'g') }));

/** Before it there is no letter or digit, unless that is a part of `\n` or `%20`. */
const byForm = new RegExp(`(?<![A-Za-z0-9_])(?:${forms.join('|')})`, 'g');
const afterEscape = new RegExp(`(?<=\\\\[nrt]|%[0-9A-Fa-f]{2})(?:${forms.join('|')})`, 'g');

/** All PEM blocks but public keys, certificates and the like. A block may be cut, or on one line with `\n` written out. */
const pem =
  /-----BEGIN (?!(?:RSA |EC |DSA )?PUBLIC KEY|CERTIFICATE|NEW CERTIFICATE|X509|TRUSTED|PKCS7|CMS|DH PARAMETERS|EC PARAMETERS|PGP (?:MESSAGE|PUBLIC|SIGNATURE))[\s\S]*?(?:-----END [A-Z0-9 ]{1,40}-----|$)/g;

/** What follows the scheme in prose, as in "Bearer tokens". */
const bearer =
  /(?<![A-Za-z0-9])bearer(?:\s|%20|\+){1,8}(?!(?:tokens?|auth\w*|credentials?|schemes?|of|or|and|in|is|as|headers?|formats?|the|with|to|for|only|usage|methods?|type)(?![\w.~+/-])|realm=|error=|scope=)[^\s"'<>,;\\]+/gi;
const basic = /(?<=(?<![A-Za-z0-9])basic(?:\s|%20|\+){1,8})[A-Za-z0-9+/_-]{4,}(?:=|%3D){0,2}/gi;
/** From `://` to the last @ before the path. */
const userInfo = /:\/\/[^\s/?#"'<>\\]*@/g;

/** Longer than what such a credential has before it is recognized: in a URL that is everything up to the @. */
export const LONGEST_BEGINNING = 1_100;

export const redactTokenForms = (text: string) => replaceRanges(text, findTokenForms(text), SECRET);

export function findTokenForms(text: string): readonly Range[] {
  if (text.length < SHORTEST_FORM) return NOTHING;
  let ranges = findPattern(byForm, text);
  const add = (more: readonly Range[]) => (ranges = joinRanges(ranges, more));
  if (/[\\%]/.test(text)) add(findPattern(afterEscape, text));
  for (const { mark, pattern } of markedForms) if (text.includes(mark)) add(findPattern(pattern, text));
  if (text.includes('-----BEGIN')) add(findPattern(pem, text));
  if (/bearer|basic/i.test(text)) add(joinRanges(findPattern(bearer, text), findBasic(text)));
  if (text.includes('://')) add(findUserInfo(text));
  return ranges;
}

/** The scheme stays. */
const findBasic = (text: string) =>
  findPattern(basic, text).filter(({ start, end }) => isUserAndPassword(text.slice(start, end)));

/** Without `://` and the @. A user alone is no secret. */
const findUserInfo = (text: string) =>
  findPattern(userInfo, text)
    .map(({ start, end }) => ({ start: start + 3, end: end - 1 }))
    .filter(({ start, end }) => text.slice(start, end).includes(':'));

/** "Basic information" is not. A colon is always there. */
function isUserAndPassword(encoded: string): boolean {
  return Buffer.from(encoded.replace(/(?:%3D)+$/i, ''), 'base64').includes(':');
}
