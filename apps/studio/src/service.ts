import { fileURLToPath } from 'node:url';

/** The built pages, beside the bundle of the server. */
export const PAGES = fileURLToPath(new URL('./pages', import.meta.url));
