export { diffFlows } from './diff/diff-flows.js';
export type { Difference } from './diff/difference.js';
export { flowFileSchema } from './schema/flow-file-schema.js';
export { formatFlowFile } from './format-flow-file.js';
export { parseFlowFile, type ParsedFlowFile } from './parse-flow-file.js';
export { describeProblem, type FileProblem } from './file-problem.js';
export { STANDARD_FIELDS, type StandardField } from './standard-fields.js';
