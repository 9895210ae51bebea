// How the dashboard is built. build.ts runs it; `npm run dev -w dashboard` serves it with the API of a local server.

import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

const here = import.meta.dirname;

export default defineConfig({
  root: here,
  plugins: [tailwindcss()],
  resolve: {
    alias: {
      // The source and not dist/: a fresh clone has no built SDK, and needs no TypeScript compiler to have a dashboard.
      '@toolgate/sdk': join(here, '../sdk/src/index.ts'),
    },
  },
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    // The policy of the page allows no data: URLs but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // The server's own pages use the fonts too, so their names have no hash.
        assetFileNames: ({ names: [name = ''] }) =>
          name.endsWith('.woff2') ? 'fonts/[name][extname]' : 'assets/[name]-[hash][extname]',
      },
      // Packages mark their modules with "use client", which means nothing here.
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
});
