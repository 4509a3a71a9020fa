export { largeFlow, largeFlowFile } from './large-flow.js';
export { loadSampleFile, loadSampleFlow, SAMPLE_FLOWS } from './sample-flow.js';
