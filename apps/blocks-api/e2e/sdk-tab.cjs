// One browser tab's worth of @dopt/javascript, which keeps its state in its module: runs the expressions it is sent and
// answers with their values. Started with examples/own-host/node.cjs and BLOCKS_URL.
const { Dopt } = require('@dopt/javascript');

const dopt = new Dopt({ ...JSON.parse(process.argv[2]), logLevel: 'silent' });

/** Resolves once the condition holds: the SDK tells of changes, but not to somebody who asks about anything. */
const until = async (condition) => {
  while (!condition(dopt)) await new Promise((resolve) => setTimeout(resolve, 10));
  return true;
};

process.on('message', (expression) => {
  Promise.resolve()
    .then(() => new Function('dopt', 'until', `return (${expression})`)(dopt, until))
    .then(
      (value) => process.send({ value }),
      (error) => process.send({ error: String(error) }),
    );
});
process.send('listening');
