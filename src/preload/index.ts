import { contextBridge, ipcRenderer } from 'electron';
import type { OwnerBridge } from '../shared/desktop-api.ts';
import { CHANNELS } from '../shared/desktop-channels.ts';

// Gives the page access to the node and the desktop app: only named functions, nothing of ipcRenderer or its events.

function on(channel: string, listener: (...values: unknown[]) => void): () => void {
  const handler = (_event: unknown, ...values: unknown[]) => listener(...values);
  ipcRenderer.on(channel, handler);
  return () => ipcRenderer.off(channel, handler);
}

const bridge: OwnerBridge = {
  call: (method, input) => ipcRenderer.invoke(CHANNELS.ownerCall, method, input),
  listen: (onEvent, onConnection) => {
    const ends = [
      on(CHANNELS.ownerEvent, onEvent as (...values: unknown[]) => void),
      on(CHANNELS.connection, (isConnected) => onConnection(isConnected === true)),
    ];
    // Events before the page listened are lost, so it requests the present state.
    void ipcRenderer.invoke(CHANNELS.isConnected).then((isConnected) => onConnection(isConnected === true));
    return () => {
      for (const end of ends) end();
    };
  },
  callDesktop: (method, input) => ipcRenderer.invoke(CHANNELS.desktopCall, method, input),
  listenDesktop: (onEvent) => on(CHANNELS.desktopEvent, onEvent as (...values: unknown[]) => void),
  osWrap: {
    available: () => ipcRenderer.invoke(CHANNELS.osWrapAvailable),
    wrap: (dataKey) => ipcRenderer.invoke(CHANNELS.osWrap, dataKey),
    unwrap: (wrapped) => ipcRenderer.invoke(CHANNELS.osUnwrap, wrapped),
  },
};

contextBridge.exposeInMainWorld('owner', bridge);
