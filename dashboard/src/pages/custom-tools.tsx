// Custom tools.

import { PageHeader } from '../components/page-header.tsx';

export function CustomToolsPage() {
  return <PageHeader title="Custom tools" />;
}
