// Integrations.

import { PageHeader } from '../components/page-header.tsx';

export function IntegrationsPage() {
  return <PageHeader title="Integrations" />;
}
