// Where menus and tooltips are in the document: a landmark of index.html.

export function popups(): HTMLElement | null {
  return document.getElementById('popups');
}
