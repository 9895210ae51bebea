// The icons of the frame, in the colors of the text around them.

const draw = (paths: string) =>
  `<svg aria-hidden="true" viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${paths}</svg>`;

export const icons = {
  menu: draw('<path d="M4 6h16M4 12h16M4 18h16"/>'),
  search: draw('<circle cx="11" cy="11" r="7"/><path d="m20 20-3.5-3.5"/>'),
  theme: draw('<circle cx="12" cy="12" r="9"/><path d="M12 3v18a9 9 0 0 0 0-18z" fill="currentColor"/>'),
  /** As in the dashboard. */
  logo: '<svg class="logo" aria-hidden="true" viewBox="0 0 32 32" width="24" height="24"><rect class="solid" width="32" height="32" rx="8"/><path class="line" d="M9 24V15a7 7 0 0 1 14 0v9" stroke-width="2.75" stroke-linecap="round" fill="none"/><circle class="dot" cx="16" cy="17" r="2.5"/></svg>',
};
