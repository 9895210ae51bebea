// People.

import { PageHeader } from '../components/page-header.tsx';

export function PeoplePage() {
  return <PageHeader title="People" />;
}
