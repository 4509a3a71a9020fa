import { DoptProvider } from '@dopt/react';
import { createRoot } from 'react-dom/client';
import { App } from './app.jsx';
import { usePageKey } from './page-key.jsx';
import './app.css';

// The user of the demo flow; `?user=grace` shows the page to somebody else, who has to be identified first.
const user = new URLSearchParams(location.search).get('user') ?? 'ada';

function Page() {
  const apiKey = usePageKey(user);
  if (apiKey === undefined) return null;
  return (
    <DoptProvider userId={user} apiKey={apiKey} flowVersions={{ onboarding: 'latest' }}>
      <App user={user} />
    </DoptProvider>
  );
}

createRoot(document.getElementById('root')).render(<Page />);
