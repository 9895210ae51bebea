// The script of the API reference. Scalar's package has it inside of a Fastify plugin, so a Fastify that never listens is asked for
// it. The plugin's own page is not used: it has an inline script, which our policy forbids.

import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

export async function readScalarScript(): Promise<string> {
  const server = Fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/api/v1/openapi.json' } });
  const { statusCode, body } = await server.inject('/docs/js/scalar.js');
  await server.close();
  if (statusCode !== 200) throw new Error(`the script of the API reference is missing: status ${statusCode}`);
  return withoutEvalProbe(body);
}

/** zod, inside of Scalar's script, tries whether it may compile code. No setting of Scalar turns that off. */
const EVAL_PROBE = 'try{return new Function(""),!0}catch(e){return!1}';

/** The policy of the page forbids it, and each attempt is a report. The answer is always no. */
function withoutEvalProbe(script: string): string {
  const parts = script.split(EVAL_PROBE);
  if (parts.length !== 2) throw new Error('the script of the API reference has changed: see withoutEvalProbe');
  return parts.join('return!1');
}
