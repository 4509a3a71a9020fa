export * from './patroni-cluster.js';
export * from './programs.js';
