// Assertion keys.

import { PageHeader } from '../components/page-header.tsx';

export function AssertionKeysPage() {
  return <PageHeader title="Assertion keys" />;
}
