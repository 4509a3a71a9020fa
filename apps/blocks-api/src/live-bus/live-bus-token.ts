/** Injects the bus between replicas, a `LiveBus`. */
export const LIVE_BUS = Symbol('live bus');
