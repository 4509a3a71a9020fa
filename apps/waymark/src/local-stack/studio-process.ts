import { type ServiceProcess, startServiceProcess } from './service-process.js';

/** Whatever HOST the services listen on: who may use the studio is whoever has its address. */
export const STUDIO_HOST = '127.0.0.1';

/** The studio as a part of the local stack; its token is printed with the rest. */
export function startStudioProcess({ token, ...rest }: { databaseUrl: string; port: number; token: string }): ServiceProcess {
  const more = { STUDIO_ACCESS: 'token', STUDIO_URL: '', STUDIO_TOKEN: token };
  return startServiceProcess('studio', { ...rest, host: STUDIO_HOST, more, readyPath: '/' });
}
