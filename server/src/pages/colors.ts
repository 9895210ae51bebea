// The colors of the pages that the server draws itself: those of the dashboard (dashboard/src/app/colors.css; a test compares them).

/** Name of the variable: light, dark. */
export const colors = {
  canvas: ['#fafafa', '#0b0b0d'],
  surface: ['#ffffff', '#121215'],
  sunken: ['#f4f4f5', '#0b0b0d'],
  hover: ['#f4f4f5', '#1e1e23'],
  line: ['#e4e4e7', '#27272c'],
  'line-strong': ['#c9c9cf', '#3d3d45'],
  ink: ['#18181b', '#ededf0'],
  muted: ['#52525b', '#a9a9b3'],
  solid: ['#18181b', '#ededf0'],
  'solid-hover': ['#34343a', '#ffffff'],
  'on-solid': ['#ffffff', '#131316'],
  accent: ['#2a5bd7', '#8aabff'],
  warning: ['#8f5200', '#eab54f'],
  'warning-soft': ['#fdf3e1', '#2a2110'],
} as const;
