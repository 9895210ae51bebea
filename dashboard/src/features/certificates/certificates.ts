// The certificates of a project, and what is said about them in words.

import { type CertificateUser, EXPIRY_WARNING_DAYS } from '@toolgate/contract/certificates/rules.ts';
import type { Certificate } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import type { Tone } from '../../ui/badge.tsx';

const DAY_MS = 86_400_000;

/** All of them: a project has at most 20. Who may not read them gets nothing. */
export const useCertificatesQuery = (isAllowed: boolean) =>
  useProjectQuery(['certificates'], (api) => api.certificates.list({ limit: 100 }), { enabled: isAllowed });

export const userWords: Record<CertificateUser, string> = {
  custom_tool: 'Tool',
  mcp_server: 'MCP server',
  hook: 'Hook',
  webhook: 'Webhook',
  log_stream: 'Log stream',
  oauth_provider: 'OAuth provider',
};

/** "Client certificate and authorities" */
export function contentText({ ca, client_certificate }: Certificate): string {
  if (ca === null) return 'Client certificate';
  return client_certificate === null ? 'Certificate authorities' : 'Client certificate and authorities';
}

/** A word for a badge; null: there is still time. */
export function expiryWarning({ expires_at }: Certificate, now: number): { word: string; tone: Tone } | null {
  const days = (Date.parse(expires_at) - now) / DAY_MS;
  const [first, second] = EXPIRY_WARNING_DAYS;
  if (days <= 0) return { word: 'expired', tone: 'danger' };
  if (days > first) return null;
  return { word: 'expires soon', tone: days > second ? 'warning' : 'danger' };
}
