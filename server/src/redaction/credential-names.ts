// Decides by the name of a field whether its value is a credential: `user_password`, `client-secret`, `apiKey`, `X-Amz-Security-Token`.

/** Which values of a field are replaced. In a credential, true, false and null never are. */
export type Sensitivity = {
  text: boolean;
  /** `many`: numbers of six digits or more. A token can be one, and so can a number of tokens, which is smaller. */
  numbers: boolean | 'many';
  /** Objects and arrays, as a whole. */
  containers: boolean;
  literals: boolean;
  /** An unquoted value goes on to the end of its line, as that of a header. */
  isLine: boolean;
};

const credential: Sensitivity = { text: true, numbers: true, containers: true, literals: false, isLine: false };
const token: Sensitivity = { ...credential, numbers: 'many' };
const scalar: Sensitivity = { ...credential, containers: false };
/** That of a person or of a function has parts. */
const signature: Sensitivity = { ...token, containers: false };
const container: Sensitivity = { ...credential, text: false, numbers: false };
const header: Sensitivity = { ...token, numbers: false, isLine: true };
/** A field that the project names. */
export const named: Sensitivity = { ...credential, literals: true };

/** The end of a long name decides. */
export const MAX_NAME_LENGTH = 128;

/** What is said about a credential: `token_count`, `password_changed_at`, `secret_name`. */
const metadata =
  /_(?:at|in|on|by|id|ids|count|counts|counter|type|types|kind|name|names|limit|limits|usage|used|quota|budget|expires|expiry|expiration|expired|exp|ttl|lifetime|age|length|len|size|url|urls|uri|endpoint|path|policy|policies|rule|rules|required|enabled|disabled|changed|updated|created|rotated|revoked|issued|status|state|version|algorithm|alg|method|methods|strategy|mode|strength|score|min|max|remaining|seconds|minutes|hours|days|ms|date|time|timestamp|format|label|title|description|placeholder|ref|reference|arn|scope|scopes|provider|issuer|audience|domain|prefix|suffix|last4|usd|price|cost|field|fields|error|errors|message|consent|banner|preferences|settings|manager|reset|index|position|symbol|supply|balance|holder|holders|address)_$/;
const exceptMetadata = /_(?:secret_id|session_ids?)_$/;

/** They say which or how, and follow what they belong to: `password_confirmation`, `api_key_prod`. */
const qualifier =
  /_(?:value|values|hash|hashed|digest|raw|plain|plaintext|text|string|str|encrypted|enc|base64|b64|hex|hint|confirmation|confirm|again|repeat|new|old|current|previous|data|header|headers|pem|jwk|jwks|salt|bytes|primary|secondary|prod|production|staging|dev|live|test|\d+)_$/;

const anywhere = new RegExp(
  [
    'passwor[dt]|passwd|passphrase|passcode|_pass_(?:wor[dt]s?|wd|phrase|code)_|pwd_|_pswd_|_pw_|credentials?_|secrets?_',
    // German, Spanish, Portuguese, French, Dutch, Italian, Polish, Czech, Swedish, Russian, Chinese, Japanese, Korean
    'kennwort|contraseña|contrasena|_senha_|mot_?de_?passe|wachtwoord|parola_d_ordine|hasło|_haslo_|_heslo_|lösenord|losenord|парол|密码|密碼|パスワード|비밀번호',
  ].join('|'),
  'u',
);

const keyKinds =
  /(?:api|access|secret|private|priv|signing|sign|signature|encryption|encrypt|decryption|master|auth|account|shared|shared_access|service|service_role|subscription|functions?|license|activation|session|hmac|aes|rsa|server|client|tls|ssl|consumer|application|app|admin|root|write|integration|security|webhook|bot|wallet|recovery)_?keys?_$/;
const codeKinds =
  /_(?:auth|authorization|authentication|verification|verify|otp|totp|sms|mfa|2fa|factor|two_factor|recovery|backup|security|device|access|login|one_time|confirmation_sms|activation|unlock)_?codes?_$/;
const passKinds =
  /^_(?:(?:db|database|user|smtp|imap|mail|email|ftp|sftp|ssh|root|admin|mysql|pg|postgres|redis|mongo|basic|http|proxy|login|my|account|auth|cert|key|keystore|wifi|vpn)_?)?pass_$/;

/** Marks of a place in a list, and counts of tokens. Neither opens anything. */
const harmlessToken = /(?:page|next|previous|prev|continuation|sync|cursor|resume|skip|paging|pagination)_?tokens?_$/;
const countedTokens =
  /(?:max|min|total|prompt|completion|input|output|num|number_of|used|cached|reasoning|remaining|generated|estimated|thinking|context)_?tokens_$/;

const rules: readonly [RegExp, Sensitivity | null][] = [
  [/^_(?:(?:x|http|proxy|forwarded|original|request|headers?|upstream)_)*authorization_$|_cookies?2?_$/, header],
  [harmlessToken, null],
  [countedTokens, null],
  [/^_tokens_$/, container],
  [/tokens?_$/, token],
  [/public_?keys?_$/, null],
  [keyKinds, credential],
  [codeKinds, credential],
  [passKinds, token],
  [/_(?:pin|otp|totp|cvv2?|cvc2?)_$/, scalar],
  [/^_(?:x_|http_|basic_|npm_)?auth_$/, token],
  [/_(?:jwt|bearer|assertion|session_?ids?|phpsessid|jsessionid|sessid)_$|connect_sid_$/, token],
  [/_signatures?_$/, signature],
  [/_(?:connection|conn)_?(?:string|str)_$|_dsn_$|_(?:seed|recovery|mnemonic)_?phrase_$|_mnemonic_$/, credential],
  [/_saml_?(?:response|request|art)_$|_code_verifier_$|_private_(?:jwk|pem)_$/, credential],
  [/_(?:x_amz|x_goog)_(?:signature|credential)_$/, credential],
];

/** The names of an API are few and repeat. */
const known = new Map<string, Sensitivity | null>();
const MAX_KNOWN = 5_000;

export function credentialSensitivity(name: string): Sensitivity | null {
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = judge(name);
  if (known.size >= MAX_KNOWN) known.clear();
  if (name.length <= MAX_NAME_LENGTH) known.set(name, found);
  return found;
}

function judge(name: string): Sensitivity | null {
  let words = `_${wordsOf(name).join('_')}_`;
  if (metadata.test(words) && !exceptMetadata.test(words)) return null;
  for (let last = ''; last !== words; ) {
    const rule = rules.find(([pattern]) => pattern.test(words));
    if (rule) return rule[1];
    last = words;
    words = words.replace(qualifier, '_');
  }
  return anywhere.test(words) ? credential : null;
}

/** Lower-case words, of `camelCase`, `snake_case`, `kebab-case`, `a.b[c]` and `UPPER CASE`. */
function wordsOf(name: string): string[] {
  return visible(name.slice(-MAX_NAME_LENGTH))
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/(\p{L})\d+$/u, '$1'))
    .filter((word) => word !== '');
}

/** Names are compared without regard to case and separators: `dateOfBirth` is `date_of_birth`. */
export function comparable(name: string): string {
  const letters = visible(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
  return letters === '' ? name : letters;
}

/** Full-width letters become ordinary ones, and characters that nobody sees are left out. */
const visible = (name: string) => name.normalize('NFKC').replace(/\p{Cf}/gu, '');
