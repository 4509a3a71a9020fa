import { render } from 'preact';
import { App } from './app/app.js';
import { begin } from './session/session.js';
import './icon.svg';
import './styles/index.css';

render(<App />, document.body);
void begin();
