// Integration.

import { PageHeader } from '../components/page-header.tsx';

export function IntegrationPage() {
  return <PageHeader title="Integration" />;
}
