export { largeFlow, largeFlowFile } from './large-flow.js';
