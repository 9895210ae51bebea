// An element of the frame, by its id.

export function find<E extends HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element as E;
}
