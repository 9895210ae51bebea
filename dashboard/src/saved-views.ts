// Filters that a person has given a name, for each page. They stay in this browser; a link shares them.

export type SavedView = { name: string; query: Record<string, string> };

const key = (page: string) => `toolgate-views-${page}`;

export function readViews(page: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key(page)) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return []; // storage is off, or holds something else
  }
}

export function writeViews(page: string, views: SavedView[]): void {
  try {
    localStorage.setItem(key(page), JSON.stringify(views));
  } catch {
    // storage is off: the view lasts as long as the page
  }
}
