import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

/** What `npm start` at the root of the project writes; BLOCKS_URL and BLOCKS_KEY lead elsewhere. */
function findStack() {
  try {
    return JSON.parse(readFileSync(new URL('../../.waymark/local.json', import.meta.url), 'utf8'));
  } catch {
    return {};
  }
}

const { blocksUrl, blocksApiKey } = findStack();
const { BLOCKS_URL = blocksUrl, BLOCKS_KEY = blocksApiKey } = process.env;
if (!BLOCKS_URL || !BLOCKS_KEY) {
  throw new Error(
    'no Waymark to talk to: run `npm start` at the root of the project first, or give BLOCKS_URL and BLOCKS_KEY',
  );
}

export default defineConfig({
  define: {
    __BLOCKS_URL__: JSON.stringify(BLOCKS_URL),
    __BLOCKS_KEY__: JSON.stringify(BLOCKS_KEY),
  },
  // The client is linked from the checkout, which has a React of its own.
  resolve: { dedupe: ['react', 'react-dom'] },
});
