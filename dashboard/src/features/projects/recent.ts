// Which projects this browser opened last. Ids only.

const KEY = 'toolgate-recent-projects';
const KEPT = 50;

/** Those that were never opened here stay in their order. */
export function lastOpenedFirst<Project extends { id: string }>(projects: Project[]): Project[] {
  const recent = recentProjects();
  const rank = ({ id }: Project) => (recent.includes(id) ? recent.indexOf(id) : recent.length);
  return projects.toSorted((one, other) => rank(one) - rank(other));
}

function recentProjects(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : [];
  } catch {
    return []; // storage is blocked, or somebody else wrote there
  }
}

export function rememberProject(id: string): void {
  try {
    const others = recentProjects().filter((each) => each !== id);
    localStorage.setItem(KEY, JSON.stringify([id, ...others].slice(0, KEPT)));
  } catch {
    // Storage is blocked: the list stays in the order of the API.
  }
}
