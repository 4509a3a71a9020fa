export * from './patroni-cluster.js';
export * from './machine.js';
