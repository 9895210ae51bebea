// What toolgate doctor says about outgoing connections: the list that the running server uses, and whether a URL may be called.

import { isIP } from 'node:net';
import type { Config } from '../config/config.ts';
import { checkOrigin, mayConnect, type OriginProblem } from '../outbound/address-guard.ts';
import { isMetadataAddress, METADATA_ADDRESSES } from '../outbound/address-ranges.ts';
import { type AllowList, allowsAddress, parseAllowList } from '../outbound/allow-list.ts';
import { describeAllowList } from '../outbound/egress.ts';
import { describeProxy, type EgressProxy } from '../outbound/egress-proxy.ts';
import { SendError } from '../outbound/messages.ts';
import { ownAddresses } from '../outbound/own-addresses.ts';
import { openTunnel } from '../outbound/proxy-tunnel.ts';
import { createLookup } from '../outbound/resolve-name.ts';
import { readRootKey } from '../secrets/root-key.ts';
import { askServer } from './ask-server.ts';
import { type Check, fail, ok, warn } from './check-result.ts';

const problems: Record<OriginProblem, string> = {
  not_url: 'it is not a URL',
  not_https: 'it is not HTTPS, and the list has no http:// entry for exactly this host and port',
  not_origin: 'it has more than a scheme, a host and a port',
  bad_host: 'its host has characters other than letters, digits, hyphens and dots',
  bad_port: 'its port is neither 443 nor an allowed port above 1023',
  not_public: 'its host is not on the public internet',
};

export async function checkEgress(config: Config, url: string | undefined): Promise<Check[]> {
  const running = await askRunningList(config);
  const allowed = running ?? config.egress_allow;
  const proxy = config.egress_proxy ? [await checkProxy(config.egress_proxy)] : [];
  const checks = [checkList(config, running), ...proxy];
  return url === undefined ? checks : [...checks, await checkUrl(config, url, allowed)];
}

const PROXY_RESPONDS_WITHIN_MS = 5_000;
/** Asked for a connection to a name that no DNS has (RFC 6761): every proxy refuses it, and one that wants a password says so. */
const NOWHERE = { host: 'toolgate-doctor.invalid', port: 443 };

async function checkProxy(proxy: EgressProxy): Promise<Check> {
  const { host, port } = NOWHERE;
  const found = await openTunnel(proxy, host, port, AbortSignal.timeout(PROXY_RESPONDS_WITHIN_MS)).then(
    (socket) => void socket.destroy(),
    (error: Error) => error,
  );
  const where = describeProxy(proxy);
  if (found instanceof SendError && / 407$/.test(found.reason))
    return fail(
      'egress proxy',
      `${where} requires other credentials (407)`,
      'TOOLGATE_EGRESS_PROXY=http://user:password@…',
    );
  if (found && !(found instanceof SendError && found.failure === 'refused_by_egress_proxy')) {
    const why = found instanceof SendError ? found.reason : 'it did not respond in time';
    return fail(
      'egress proxy',
      `${where} cannot be used: ${why}`,
      'check TOOLGATE_EGRESS_PROXY, and that the proxy runs',
    );
  }
  const who = proxy.resolves_names
    ? 'the proxy resolves names and decides about their addresses'
    : 'names are resolved here';
  return ok('egress proxy', `connections go through ${where}; ${who}`);
}

/** The list of the running server; null if none responds, or the root key is not at hand. */
async function askRunningList(config: Config): Promise<AllowList | null> {
  const key = await readRootKey(config.root_key, config.data_dir);
  // Asked without the key first: the key goes to nobody else.
  if (key === null || !(await askServer(config, '/healthz'))?.is_toolgate) return null;
  const response = await askServer(config, '/readyz', key);
  const { egress_allow } = (response?.body ?? {}) as { egress_allow?: unknown };
  return Array.isArray(egress_allow) ? parseAllowList(egress_allow.join(',')).allowed : null;
}

function checkList(config: Config, running: AllowList | null): Check {
  const allowed = running ?? config.egress_allow;
  const who = running === null ? 'with these settings' : 'the running server says:';
  const isSafe = (entry: AllowList[number]) => !isRisky(entry, config.database_url);
  const risky = [...config.egress_allow, ...allowed].find((entry) => !isSafe(entry));
  if (risky) {
    const rest = describeAllowList(config.egress_allow.filter(isSafe)).replaceAll(', ', ',');
    return warn(
      'egress',
      `tools can reach ${risky.text}: a database or a cloud metadata service is there`,
      `TOOLGATE_EGRESS_ALLOW=${rest} npx toolgate start`,
    );
  }
  if (running !== null && describeAllowList(running) !== describeAllowList(config.egress_allow)) {
    return warn(
      'egress',
      `the running server allows ${describeAllowList(running) || 'public addresses only'}, these settings ${describeAllowList(config.egress_allow) || 'public addresses only'}`,
      'kill -HUP the server if the list is in TOOLGATE_EGRESS_ALLOW_FILE; otherwise restart it',
    );
  }
  if (allowed.length === 0) return ok('egress', `${who} tools and webhooks can reach public addresses only`);
  return ok('egress', `${who} tools and webhooks can also reach ${describeAllowList(allowed)}`);
}

function isRisky(entry: AllowList[number], database_url: string | null): boolean {
  const own = database_url === null ? null : (/@([^/?]+)/.exec(database_url)?.[1] ?? null);
  if (entry.text === own) return true;
  // Whatever the port is: an entry without one allows the usual ones.
  const anyPort = [{ ...entry, port: 443, scheme: 'https' as const }];
  return [...METADATA_ADDRESSES].some((address) => allowsAddress(anyPort, 'https', address, 443));
}

async function checkUrl(config: Config, url: string, allowed: AllowList): Promise<Check> {
  const parsed = URL.parse(url);
  if (parsed === null) return fail('url', `${url} is not a URL`, 'npx toolgate doctor https://api.example.com');
  const { origin } = parsed;
  const checked = checkOrigin(origin, allowed);
  const fix = `add ${parsed.protocol === 'http:' ? origin : parsed.host} to TOOLGATE_EGRESS_ALLOW`;
  if ('problem' in checked) return fail('url', `${origin} cannot be called: ${problems[checked.problem]}`, fix);
  const { hostname } = checked;
  const { egress_proxy } = config;
  if (egress_proxy?.resolves_names && isIP(hostname) === 0 && !egress_proxy.direct.hasName(hostname))
    return ok('url', `${origin} is allowed; the egress proxy resolves its name and decides about its address`);
  const addresses = isIP(hostname) ? [{ address: hostname }] : await createLookup()(hostname).catch(() => []);
  if (addresses.length === 0)
    return fail(
      'url',
      `${origin} is allowed, but its name does not resolve on this machine`,
      `getent hosts ${hostname}`,
    );
  const deny = ownAddresses(config.host, config.port);
  const refused = addresses.find(({ address }) => !mayConnect(checked, address, allowed, deny));
  if (!refused) return ok('url', `${origin} can be called, at ${addresses.map(({ address }) => address).join(', ')}`);
  const why = isMetadataAddress(refused.address) ? ', a cloud metadata service' : '';
  return fail('url', `${origin} cannot be called: it is at ${refused.address}${why}`, fix);
}
