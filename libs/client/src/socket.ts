import { toError, WaymarkError } from './error.js';
import { createPause } from './pause.js';
import type { Access } from './request.js';
import type { WireBlock, WireFlow } from './wire.js';

/** What of a WebSocket is used. */
export interface LiveSocket {
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(): void;
}
export type LiveSocketClass = new (url: string) => LiveSocket;

const NAMESPACE = '/v2/client,';
/** Silence that ends a connection of which nothing is known yet. */
const PATIENCE_MS = 45_000;

/**
 * Pushes over the socket protocol of the service, on a bare WebSocket: engine.io 4 and socket.io 5, as far as they are met
 * here (C5). Comes back by itself.
 */
export function createLive(
  { url, user, group }: Access,
  WebSocket: LiveSocketClass,
  getKey: () => Promise<string>,
  forgetToken: () => void,
  /** Flows with their versions. */
  watched: () => (readonly [flow: string, version: number])[],
  onPush: (flow: WireFlow) => void,
  onError: (error: WaymarkError) => void,
) {
  const [wait, reset, wake] = createPause();
  const query = { EIO: '4', transport: 'websocket', endUserIdentifier: user, ...(group && { groupIdentifier: group }) };
  let isOpen = false;
  let isClosed = false;
  let leave = (): void => {};

  /** One connection, until it ends. */
  const connect = (key: string): Promise<void> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v2/socket/?${new URLSearchParams(query)}`);
      let silence: ReturnType<typeof setTimeout>;
      let patience = PATIENCE_MS;
      let blocks: Record<string, WireBlock> = {};
      const hear = (): void => {
        clearTimeout(silence);
        silence = setTimeout(leave, patience);
      };
      // A connection that died never says so: nobody waits for its farewell.
      leave = () => {
        clearTimeout(silence);
        isOpen = false;
        leave = socket.onmessage = socket.onclose = socket.onerror = () => {};
        socket.close();
        resolve();
      };
      const refuse = (code: string, details: string): void => {
        forgetToken();
        onError(new WaymarkError(code, details));
      };
      const tell = ([event, payload]: [string, never]): void => {
        if (event === 'ready') {
          isOpen = true;
          reset();
          for (const flow of watched()) socket.send(`42${NAMESPACE}${JSON.stringify(['watch:flow', ...flow])}`);
        }
        if (event === 'blocks') blocks = payload;
        if (event === 'flow') onPush({ ...(payload as WireFlow), blocks: Object.values(blocks) });
        if (event === 'error') refuse('live_error', payload);
      };
      const read = (text: string): void => {
        const [, type, json] = /^(\d+)(?:\/v2\/client,)?(.*)/s.exec(text)!;
        if (type === '2') socket.send('3');
        if (type === '42') tell(JSON.parse(json!) as [string, never]);
        if (type === '44') refuse('unauthorized_error', (JSON.parse(json!) as Error).message);
        if (type === '41' || type === '44') leave();
        else hear();
        if (type === '0') {
          const { pingInterval, pingTimeout } = JSON.parse(json!) as { pingInterval: number; pingTimeout: number };
          patience = pingInterval + pingTimeout;
          socket.send(`40${NAMESPACE}${JSON.stringify({ 'x-api-key': key })}`);
        }
      };
      socket.onclose = socket.onerror = () => leave();
      socket.onmessage = ({ data }) => {
        try {
          read(data as string);
        } catch {
          leave();
        }
      };
      hear();
    });

  async function start(): Promise<void> {
    while (!isClosed) {
      try {
        const key = await getKey();
        if (!isClosed) await connect(key);
      } catch (failure) {
        onError(toError(failure));
      }
      if (!isClosed) await wait(0);
    }
  }
  const close = (): void => {
    isClosed = true;
    leave();
    wake();
  };
  return [start, () => isOpen, wake, close] as const;
}
