import { DoptProvider } from '@dopt/react';
import { createRoot } from 'react-dom/client';
import { App } from './app.jsx';
import './app.css';

// The user of the demo flow; `?user=grace` shows the page to somebody else, who has to be identified first.
const user = new URLSearchParams(location.search).get('user') ?? 'ada';

createRoot(document.getElementById('root')).render(
  <DoptProvider userId={encodeURIComponent(user)} apiKey={__BLOCKS_KEY__} flowVersions={{ onboarding: 'latest' }}>
    <App user={user} />
  </DoptProvider>,
);
