// Custom tool.

import { PageHeader } from '../components/page-header.tsx';

export function CustomToolPage() {
  return <PageHeader title="Custom tool" />;
}
