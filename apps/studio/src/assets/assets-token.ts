/** Injects the files of the pages by name. */
export const ASSETS = Symbol('assets');
