import type { Fault } from './faults.mjs';

export function mutate(fault: Fault, text: string): string;
