/**
 * For Node, where there is no bundler: `BLOCKS_URL=https://blocks.example.com node --require ./node.cjs app.cjs`, with
 * `require('@dopt/javascript')` in the application: the ES module build of the SDK does not load in Node by itself.
 */
const Module = require('node:module');

const isSdk = (file) => /[\\/]node_modules[\\/]@dopt[\\/]/.test(file);
const compile = Module.prototype._compile;

Module.prototype._compile = function (code, file, ...rest) {
  const patched = isSdk(file)
    ? code.replaceAll('https://blocks.dopt.com', process.env.BLOCKS_URL)
    : code;
  return compile.call(this, patched, file, ...rest);
};
