export { RememberedChanges, Stage } from './stage.js';
