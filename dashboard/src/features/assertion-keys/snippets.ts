// Code to paste: how to make a key pair, and how to sign an assertion in several languages.

import type { AssertionAlgorithm as Algorithm } from '@toolgate/contract/assertion-keys/rules.ts';
import type { Snippet } from '../../ui/code-block.tsx';

const generate: Record<Algorithm, string> = {
  ES256: 'openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out private.pem',
  ES384: 'openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out private.pem',
  Ed25519: 'openssl genpkey -algorithm ed25519 -out private.pem',
  RS256: 'openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072 -out private.pem',
};

export const opensslSnippets: Snippet[] = Object.entries(generate).map(([name, command]) => ({
  name,
  code: `${command}\nopenssl pkey -in private.pem -pubout -out public.pem`,
}));

type Target = { projectId: string; kid: string; algorithm: Algorithm };

/** The name of the algorithm in the header of a JWT, as libraries know it. */
const jwtName = (algorithm: Algorithm) => (algorithm === 'Ed25519' ? 'EdDSA' : algorithm);

/**
 * A `kid` is any text: a quote in it must not end the literal that it is pasted into. JSON is a literal of JavaScript, Python, Go and
 * Java. Characters that are not seen, or turn the text around, are escaped too.
 */
const quote = (text: string) =>
  JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029]|\p{Format}/gu, (each) =>
    each.length === 1 ? `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}` : each,
  );

/** Ruby evaluates `#{…}`, `#$name` and `#@name` in such a literal. */
const rubyQuote = (text: string) => quote(text).replaceAll('#', '\\#');

/** PHP evaluates nothing between single quotes. */
const phpQuote = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;

export function signSnippets(target: Target): Snippet[] {
  const everywhere = [typescript(target), node(target), python(target), go(target), java(target)];
  // The libraries of Ruby and PHP do not read an Ed25519 key from PEM.
  return target.algorithm === 'Ed25519' ? everywhere : [...everywhere, ruby(target), php(target)];
}

function typescript({ projectId, kid, algorithm }: Target): Snippet {
  return {
    name: 'TypeScript',
    code: `import { signMemberAssertion } from '@toolgate/sdk';

const assertion = await signMemberAssertion({
  privateKey: process.env.ASSERTION_PRIVATE_KEY, // the text of private.pem
  kid: ${quote(kid)},
  algorithm: '${algorithm}',
  projectId: '${projectId}',
  memberId: user.id,
});`,
  };
}

function node({ projectId, kid, algorithm }: Target): Snippet {
  return {
    name: 'Node.js',
    code: `import { importPKCS8, SignJWT } from 'jose';

const key = await importPKCS8(process.env.ASSERTION_PRIVATE_KEY, '${jwtName(algorithm)}');
const assertion = await new SignJWT()
  .setProtectedHeader({ alg: '${jwtName(algorithm)}', kid: ${quote(kid)} })
  .setSubject(user.id)
  .setAudience('service:project:${projectId}')
  .setExpirationTime('30s')
  .setJti(crypto.randomUUID())
  .sign(key);`,
  };
}

function python({ projectId, kid, algorithm }: Target): Snippet {
  return {
    name: 'Python',
    code: `import os, time, uuid
import jwt  # PyJWT with the extra "crypto"

assertion = jwt.encode(
    {
        "sub": user.id,
        "aud": "service:project:${projectId}",
        "exp": int(time.time()) + 30,
        "jti": str(uuid.uuid4()),
    },
    os.environ["ASSERTION_PRIVATE_KEY"],
    algorithm="${jwtName(algorithm)}",
    headers={"kid": ${quote(kid)}},
)`,
  };
}

const goMethods: Record<Algorithm, [method: string, parse: string]> = {
  ES256: ['SigningMethodES256', 'ParseECPrivateKeyFromPEM'],
  ES384: ['SigningMethodES384', 'ParseECPrivateKeyFromPEM'],
  Ed25519: ['SigningMethodEdDSA', 'ParseEdPrivateKeyFromPEM'],
  RS256: ['SigningMethodRS256', 'ParseRSAPrivateKeyFromPEM'],
};

function go({ projectId, kid, algorithm }: Target): Snippet {
  const [method, parse] = goMethods[algorithm];
  return {
    name: 'Go',
    code: `// github.com/golang-jwt/jwt/v5
key, err := jwt.${parse}([]byte(os.Getenv("ASSERTION_PRIVATE_KEY")))
if err != nil {
	return err
}
token := jwt.NewWithClaims(jwt.${method}, jwt.MapClaims{
	"sub": user.ID,
	"aud": "service:project:${projectId}",
	"exp": time.Now().Add(30 * time.Second).Unix(),
})
token.Header["kid"] = ${quote(kid)}
assertion, err := token.SignedString(key)`,
  };
}

function ruby({ projectId, kid, algorithm }: Target): Snippet {
  return {
    name: 'Ruby',
    code: `require "jwt"

key = OpenSSL::PKey.read(ENV["ASSERTION_PRIVATE_KEY"])
claims = { sub: user.id, aud: "service:project:${projectId}", exp: Time.now.to_i + 30 }
assertion = JWT.encode(claims, key, "${jwtName(algorithm)}", { kid: ${rubyQuote(kid)} })`,
  };
}

function php({ projectId, kid, algorithm }: Target): Snippet {
  return {
    name: 'PHP',
    code: `use Firebase\\JWT\\JWT; // firebase/php-jwt

$assertion = JWT::encode(
    ['sub' => $user->id, 'aud' => 'service:project:${projectId}', 'exp' => time() + 30],
    getenv('ASSERTION_PRIVATE_KEY'),
    '${jwtName(algorithm)}',
    ${phpQuote(kid)},
);`,
  };
}

function java({ projectId, kid }: Target): Snippet {
  return {
    name: 'Java',
    code: `// io.jsonwebtoken:jjwt. It takes the algorithm from the key.
String assertion = Jwts.builder()
    .header().keyId(${quote(kid)}).and()
    .subject(user.getId())
    .audience().single("service:project:${projectId}")
    .expiration(Date.from(Instant.now().plusSeconds(30)))
    .signWith(privateKey)
    .compact();`,
  };
}
