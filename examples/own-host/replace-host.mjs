/** The host that is compiled into the published SDKs. */
export const COMPILED_HOST = 'https://blocks.dopt.com';

/**
 * Whether a file belongs to the SDKs; they are published as several packages that depend on each
 * other.
 */
export const isSdk = (file) => /[\\/]node_modules[\\/]@dopt[\\/]/.test(file);

/**
 * The code of an SDK, talking to `host`, such as `https://blocks.example.com`. Without a slash at
 * the end.
 */
export const replaceHost = (code, host) => code.replaceAll(COMPILED_HOST, host);
