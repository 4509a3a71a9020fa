export * from './report/flow-report.js';
export { reportFlow, type ReportInput, type ReportOptions } from './report/report-flow.js';
export * from './explain/explanation.js';
export { explainUser } from './explain/explain-user.js';
export { type ExplainInput } from './explain/load-scene.js';
export * from './plan/plan.js';
export { type PlanOptions } from './plan/look-ahead.js';
export { planFlows, type PlanInput } from './plan/plan-flows.js';
export { type SampleReport } from './pages/sample.js';
