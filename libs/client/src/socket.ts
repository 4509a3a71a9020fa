import { WaymarkError } from './requests/error.js';
import { SOCKET_PATIENCE } from './requests/limits.js';
import type { CreateLoop } from './requests/loop.js';
import type { FlowState } from './views/flow-states.js';
import type { WireBlock, WireFlow } from './shapes/wire.js';

/** The part of a WebSocket that is used. */
export interface LiveSocket {
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(): void;
}
export type LiveSocketClass = new (url: string) => LiveSocket;

/**
 * Pushes over the socket protocol of the service, on a bare WebSocket: engine.io 4 and socket.io 5,
 * as far as they are needed here (C5). Reconnects by itself.
 */
export function createLive(
  createLoop: CreateLoop,
  signal: AbortSignal,
  url: string,
  userQuery: string,
  WebSocket: LiveSocketClass | null | undefined,
  getKey: () => Promise<string>,
  forgetToken: () => void,
  flows: readonly FlowState[],
  /** With the blocks that changed, by uid. */
  onPush: (flow: WireFlow, changed: Readonly<Record<string, WireBlock>>) => void,
  onError: (error: WaymarkError) => void,
) {
  let isOpen = false;

  /** One connection, until it ends. */
  const connect = (): Promise<never> =>
    new Promise((_, reject) => {
      const socket = new WebSocket!(
        `${url.replace('http', 'ws')}/v2/socket/?EIO=4&transport=websocket&${userQuery.replace('user', 'endUser')}`,
      );
      let timeout: ReturnType<typeof setTimeout>;
      let allowedSilence = SOCKET_PATIENCE;
      let blocks: Record<string, WireBlock> = {};
      const restartTimeout = (): void => {
        clearTimeout(timeout);
        timeout = setTimeout(disconnect, allowedSilence);
      };
      const send = (type: number, payload: unknown): void =>
        socket.send(`${type}/v2/client,${JSON.stringify(payload)}`);
      // A dead connection never closes, so it is not waited for.
      const disconnect = (): void => {
        clearTimeout(timeout);
        isOpen = false;
        socket.onmessage = socket.onclose = socket.onerror = () => {};
        socket.close();
        reject();
      };
      /**
       * Handlers by the digits that a message begins with; of the service's own events, by their
       * names.
       */
      const handlers: Record<string, (payload: never) => unknown> = {
        async 0(open: { pingInterval: number; pingTimeout: number }) {
          allowedSilence = open.pingInterval + open.pingTimeout;
          send(40, { 'x-api-key': await getKey() });
        },
        2: () => socket.send('3'),
        42: ([event, payload]: [string, never]) => handlers[event]?.(payload),
        44({ message }: Error) {
          handlers['error']!(message as never);
          disconnect();
        },
        ready() {
          isOpen = true;
          reset();
          for (const { known } of flows)
            if (known.revision >= 0) send(42, ['watch:flow', known.sid, known.version]);
        },
        blocks(payload) {
          blocks = payload;
        },
        flow: (payload: WireFlow) => onPush(payload, blocks),
        error(details: string) {
          forgetToken();
          onError(new WaymarkError(details, { code: 'live_error' }));
        },
      };
      signal.onabort = socket.onclose = socket.onerror = disconnect;
      socket.onmessage = async ({ data }) => {
        restartTimeout();
        try {
          await handlers[parseInt(data as string)]?.(
            JSON.parse((data as string).slice((data as string).search(/[{[]/))) as never,
          );
        } catch {
          disconnect();
        }
      };
      restartTimeout();
    });

  const [run, reset] = createLoop(() => WebSocket && connect());
  return [run, () => isOpen] as const;
}
