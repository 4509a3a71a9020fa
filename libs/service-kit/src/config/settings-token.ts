/** Injects the settings of the service: `@Inject(SETTINGS) settings: ServiceSettings`. */
export const SETTINGS = Symbol('settings');
