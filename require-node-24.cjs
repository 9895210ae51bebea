// Loaded before anything else, so that an old Node says what to do instead of failing on a .ts file.
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `toolgate needs Node 24 or newer; this is ${process.version}.\n` +
      'On Linux the right Node is installed with the packages: run "npm ci && npm start" in a clone, ' +
      'or "npx toolgate start" where the package is installed.\n' +
      'Elsewhere, install Node 24 first: https://nodejs.org',
  );
  process.exit(1);
}

// The next start need not read the TypeScript again. Beside the packages, whose owner alone may write there: whoever can
// write this cache decides what is run, so never in a folder for everybody's temporary files.
enableCompileCache(join(__dirname, 'node_modules', '.cache', 'toolgate'));
