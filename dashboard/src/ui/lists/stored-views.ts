// Filters that a person has given a name, for each page of a project: ids of one project find nothing in another. They stay in this browser; a link shares them.

export type SavedView = { name: string; query: Record<string, string> };

/** `place`: the project and the page. */
const key = (place: string) => `toolgate-views-${place}`;

export function readViews(place: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key(place)) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return []; // storage is off, or holds something else
  }
}

export function writeViews(place: string, views: SavedView[]): void {
  try {
    localStorage.setItem(key(place), JSON.stringify(views));
  } catch {
    // storage is off: the view lasts as long as the page
  }
}
