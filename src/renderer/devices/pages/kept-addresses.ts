import { KeptState } from '../../kept-state.ts';

/** The addresses of devices' pages that the owner typed, by device id; kept in this browser. */
export const keptAddresses = new KeptState<Readonly<Record<string, string>>>('wellhouse.device-addresses', (text) => {
  if (text === null) return {};
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, address]) => typeof address === 'string'));
});
