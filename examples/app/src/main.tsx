import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { WaymarkProvider } from '@waymark/client/react';
import { App } from './app';
import { waymark } from './waymark';
import './app.css';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <WaymarkProvider client={waymark}>
      <App />
    </WaymarkProvider>
  </StrictMode>,
);
