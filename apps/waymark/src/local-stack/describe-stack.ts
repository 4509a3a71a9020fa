import type { LocalStack } from '../config/local-file.js';

interface DemoUser {
  identifier: string;
  properties: object;
}

/** Two lines for a shell: what it shows, and a command that works as pasted. */
const step = (what: string, ...words: string[]): string => `# ${what}\n${words.join(' ')}`;

/**
 * The text that is printed when the stack is ready, with the steps of the demo user through the
 * demo flow unless undefined.
 */
export function describeStack(
  stack: LocalStack,
  studio: string,
  demo: DemoUser | undefined,
): string {
  const { usersUrl, blocksUrl, environment, usersApiKey, blocksApiKey } = stack;
  return `
ready; Ctrl-C stops everything

users API    ${usersUrl}    docs ${usersUrl}/docs
blocks API   ${blocksUrl}    docs ${blocksUrl}/docs
studio       ${studio}
see it       ${new URL('/see-it', studio).href}
environment  ${environment}
users key    ${usersApiKey}
blocks key   ${blocksApiKey}

${curlLines(stack, demo).join('\n')}
`;
}

/** Of a command the status is all there is to see; headers would hide it. */
const STATUS = `-sw '%{http_code}\\n'`;

function curlLines(
  { usersUrl, blocksUrl, usersApiKey, blocksApiKey }: LocalStack,
  demo: DemoUser | undefined,
): string[] {
  const user = demo ?? { identifier: 'ada', properties: { plan: 'pro' } };
  const identify = step(
    'identify a user',
    `curl ${STATUS} ${usersUrl}/identify -H 'x-api-key: ${usersApiKey}'`,
    `-H 'content-type: application/json' -d '${JSON.stringify(user)}'`,
  );
  if (!demo) return [identify];
  const key = `-H 'x-api-key: ${blocksApiKey}'`;
  const query = `userIdentifier=${encodeURIComponent(user.identifier)}&version=latest`;
  const block = `${blocksUrl}/v2/block/onboarding.welcome`;
  return [
    identify,
    step(
      'read the flow with its blocks; a user who qualifies enters it',
      `curl -s '${blocksUrl}/v2/flow/onboarding?${query}&include=block' ${key}`,
    ),
    step(
      'dismiss the welcome',
      `curl ${STATUS} -X POST '${block}/transition?${query}&transitions=dismiss' ${key}`,
    ),
    step('it is no longer active', `curl -s '${block}?${query}' ${key}`),
    step(
      'reset the flow',
      `curl ${STATUS} -X POST '${blocksUrl}/v2/flow/onboarding/reset?${query}' ${key}`,
    ),
    step('and it is active again', `curl -s '${block}?${query}' ${key}`),
  ];
}
