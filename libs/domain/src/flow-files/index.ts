export { diffFlows } from './diff/diff-flows.js';
export type { Difference } from './diff/difference.js';
export { flowFileSchema } from './schema/flow-file-schema.js';
export { formatFlowFile } from './write/format-flow-file.js';
export { parseFlowFile, type ParsedFlowFile } from './read/parse-flow-file.js';
export { describeProblem, type FileProblem } from './source/file-problem.js';
export { STANDARD_FIELDS, type StandardField } from './keys/standard-fields.js';
export * from './types/describe-flow-types.js';
export { importTexts, type ImportedTexts } from './translate/import-texts.js';
export {
  exportTexts,
  findOlderTexts,
  knownTexts,
  type TranslatedText,
  type TranslationFile,
} from './translate/translations.js';
export * from './shared-files/attention-file.js';
export type { ParsedFile } from './shared-files/parse-shared-file.js';
export * from './shared-files/segments-file.js';
