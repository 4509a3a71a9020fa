/** Injects the name of the service, such as `users-api`. */
export const SERVICE_NAME = Symbol('service name');
