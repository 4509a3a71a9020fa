/**
 * A loader for webpack:
 * `{ test: /[\\/]node_modules[\\/]@dopt[\\/]/, loader: './webpack-loader.cjs', options: { host: 'https://blocks.example.com' } }`
 */
module.exports = function ownHost(code) {
  return code.replaceAll('https://blocks.dopt.com', this.getOptions().host);
};
