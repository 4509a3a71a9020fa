export { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.js';
