export type { Rendered, Renderer } from './blocks/rendered.js';
export * from './show-flows.js';
export type { Words } from './texts/words.js';
