// Member.

import { PageHeader } from '../components/page-header.tsx';

export function MemberPage() {
  return <PageHeader title="Member" />;
}
