// The environment of a batch: it lets the batch say in which `describe` a test belongs that a
// module declares while it loads.
import { TestEnvironment } from 'jest-environment-node';

export default class BatchEnvironment extends TestEnvironment {
  handleTestEvent(event, state) {
    if (event.name === 'setup') this.global.circusState = state;
  }
}
