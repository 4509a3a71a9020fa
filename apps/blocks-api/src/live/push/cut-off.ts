/** What is used of a connection of engine.io to end it; the transport's own socket is a WebSocket of `ws`. */
interface Cuttable {
  readonly transport: { readonly socket?: { terminate(): void } };
  close(discard: boolean): void;
}

/** Ends the connection of a client that sends or asks for too much (R13); an honest one comes back by itself. */
export function cutOff(connection: Cuttable): void {
  const { socket } = connection.transport;
  // Closed first: frames that were read already are ignored then; the transport itself ends a little later.
  connection.close(true);
  socket?.terminate();
}
