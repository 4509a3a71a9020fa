export * from './report/flow-report.js';
export { reportFlow, type ReportInput, type ReportOptions } from './report/report-flow.js';
