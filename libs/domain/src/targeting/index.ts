export type { Scope, Subject } from './scope.js';
