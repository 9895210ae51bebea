// The slug that is proposed for a name.

const MAX_LENGTH = 40;

/** "Équipe support (EU)" is `equipe-support-eu`. Empty if nothing of the name fits. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, MAX_LENGTH)
    .replace(/-+$/, '');
}
