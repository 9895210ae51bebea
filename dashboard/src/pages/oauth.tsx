// OAuth.

import { PageHeader } from '../components/page-header.tsx';

export function OAuthPage() {
  return <PageHeader title="OAuth" />;
}
