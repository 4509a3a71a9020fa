import { readSettings, StartError, type Variables } from '@waymark/service-kit/config';
import { LOOPBACK, StudioSettings } from './settings.js';

/** Reads everything once. Throws a `StartError` with all problems together. */
export function readStudioSettings(variables: Variables): StudioSettings {
  const settings = readSettings(StudioSettings, variables);
  const problems = checkSettings(settings, variables);
  if (problems.length > 0)
    throw new StartError(`the settings are not right: ${problems.join('; ')}`);
  return settings;
}

/**
 * What is wrong between the settings, each in a sentence that names them and never has a value in
 * it (T2, T3).
 */
export function checkSettings(settings: StudioSettings, given: Variables): string[] {
  return [
    ...problemsOfHost(settings, given),
    ...(settings.access === 'oidc' ? problemsOfOidc(settings) : []),
  ];
}

function problemsOfHost({ host }: StudioSettings, given: Variables): string[] {
  if (LOOPBACK.includes(host)) return [];
  const missing = ['STUDIO_ACCESS', 'STUDIO_URL'].filter((name) => !given[name]?.trim());
  if (missing.length === 0) return [];
  return [
    `HOST is not loopback, so that others can reach the studio: ${missing.join(' and ')} have to be written out`,
  ];
}

function problemsOfOidc(settings: StudioSettings): string[] {
  return [
    ...(isOpenHttp(settings.issuer)
      ? ['STUDIO_OIDC_ISSUER has to be https: http is for loopback only']
      : []),
    ...(isOpenHttp(settings.publicUrl)
      ? ['STUDIO_URL has to be https: http is for loopback only']
      : []),
    ...((settings.sessionSecret?.length ?? 32) < 32
      ? ['STUDIO_SESSION_SECRET needs at least 32 characters, such as `openssl rand -hex 32` makes']
      : []),
    ...(settings.editors || settings.viewers
      ? []
      : ['STUDIO_EDITORS or STUDIO_VIEWERS has to name somebody']),
    ...(settings.scopes.split(/\s+/).includes('openid')
      ? []
      : ['STUDIO_OIDC_SCOPES has to have openid among them']),
  ];
}

function isOpenHttp(address: string | undefined): boolean {
  if (address === undefined) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !LOOPBACK.includes(hostname);
}
