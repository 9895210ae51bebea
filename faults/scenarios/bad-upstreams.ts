import { gzipSync } from 'node:zlib';
import { callHealthy, callOnce } from '../healthy-calls.ts';
import type { Ledger } from '../ledger.ts';
import type { Replica } from '../replica.ts';
import { openLedger, type Stage } from '../stage.ts';
import { asRoot, makeTenant, unique } from '../tenant.ts';

const AT_ONCE = 100;
/** The shortest a tool may have. */
const TIMEOUT_MS = 1_000;

/** The codes with which calls of a kind may end. `accepts`: a success is right, if the response has this body. */
type Kind = { what: string; base_url: string; path: string; codes: string[]; accepts?: (body: unknown) => boolean };

/** Twelve kinds of customers' APIs that misbehave are each called 100 times at once, while the calls of another project succeed. */
export async function badUpstreams(stage: Stage): Promise<Ledger> {
  const { replicas } = stage;
  const { ledger, client } = openLedger(replicas);
  const healthy = await makeTenant(stage);
  for (const code of ['TOOL_TIMED_OUT', 'UPSTREAM_STATUS', 'UPSTREAM_CONNECTION', 'TOOL_EXECUTION_FAILED'])
    ledger.expected_codes.add(code);
  let slowest_ms = 0;
  for (const kind of makeKinds(stage)) {
    // A quota group of its own, as every customer has.
    const tenant = await makeTenant(stage);
    const tool = await asRoot(stage, 'POST', '/custom-tools', {
      body: {
        name: 'bad',
        base_url: kind.base_url,
        endpoint_path: kind.path,
        input_schema: { type: 'object' },
        timeout_ms: TIMEOUT_MS,
      },
      project: tenant.project_id,
    });
    const began_at = performance.now();
    const bad = Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) =>
        callOnce(client, replicas[i % replicas.length] as Replica, { tenant, tool_id: tool.id, kind: kind.what }),
      ),
    );
    slowest_ms = Math.max(slowest_ms, await callHealthy(client, ledger, replicas, healthy));
    for (const operation of await bad) judge(ledger, kind, operation);
    const bad_ms = performance.now() - began_at;
    if (bad_ms > TIMEOUT_MS + 10_000) ledger.problems.push(`${kind.what}: 100 calls took ${Math.round(bad_ms)} ms`);
  }
  const after = await callHealthy(client, ledger, replicas, healthy);
  ledger.recoveries_ms.push(after);
  ledger.notes.push(`the slowest call of another project meanwhile took ${Math.round(slowest_ms)} ms`);
  await client.close();
  return ledger;
}

function makeKinds({ upstreams }: Stage): Kind[] {
  const { good, untrusted, silent, closed_port } = upstreams;
  const TIMED_OUT = ['TOOL_TIMED_OUT'];
  // Calls beyond the slots of the project wait for one within the timeout, and end with it.
  const FAILED = ['UPSTREAM_CONNECTION', 'TOOL_TIMED_OUT'];
  const on = (
    what: string,
    response: Parameters<typeof good.respond>[1],
    codes: string[],
    accepts?: Kind['accepts'],
  ): Kind => {
    const path = `/${unique('bad')}`;
    good.respond(path, response);
    return { what, base_url: good.url, path, codes, ...(accepts ? { accepts } : {}) };
  };
  return [
    on('never answers', { hang: true }, TIMED_OUT),
    on('sends one byte a second', { drip_ms: 1_000 }, TIMED_OUT),
    on('resets the connection', { reset: true }, FAILED),
    on('sends something else than HTTP', { raw: Buffer.alloc(4_096, 0x01) }, FAILED),
    on('cuts the body off', { raw: 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"half":' }, FAILED),
    on('declares two lengths', { raw: 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{} ' }, FAILED),
    on('answers 500', { status: 500 }, ['UPSTREAM_STATUS', 'TOOL_TIMED_OUT']),
    on('redirects to another address', { status: 302, headers: { location: 'http://169.254.169.254/' } }, [
      'UPSTREAM_STATUS',
      'TOOL_TIMED_OUT',
    ]),
    on(
      'sends 64 MiB',
      { repeat: { part: Buffer.alloc(65_536, 'x'), times: 1_024 }, headers: { 'content-type': 'text/plain' } },
      FAILED,
      isCut,
    ),
    on(
      'sends 64 MiB compressed to 64 KiB',
      { body: gzipSync(Buffer.alloc(2 ** 26)), headers: { 'content-encoding': 'gzip' } },
      FAILED,
      isCut,
    ),
    { what: 'has an untrusted certificate', base_url: untrusted.url, path: '/', codes: FAILED },
    {
      what: 'accepts and stays silent',
      base_url: `https://127.0.0.1:${silent.port}`,
      path: '/',
      codes: [...TIMED_OUT, ...FAILED],
    },
    { what: 'refuses connections', base_url: `https://127.0.0.1:${closed_port}`, path: '/', codes: FAILED },
  ];
}

/** A response over the size limit is passed on only cut, and says so. */
const isCut = (body: unknown) => (body as { truncated?: unknown })?.truncated === true;

function judge(ledger: Ledger, { what, codes, accepts }: Kind, operation: Awaited<ReturnType<typeof callOnce>>): void {
  const [attempt] = operation.attempts;
  if (operation.outcome === 'done') {
    if (!accepts?.(operation.body)) ledger.wrongly_accepted += 1;
    return;
  }
  // The answer is final: the caller knows that the call failed.
  if (attempt?.status !== null) operation.outcome = 'failed';
  if (!codes.includes(attempt?.code ?? '')) ledger.problems.push(`${what}: ${attempt?.status} ${attempt?.code}`);
}
