import type { DEVICE_PAGE_METHODS } from '../../src/shared/owner-api/device-pages.ts';
import type { GATE_METHODS, GateView } from '../../src/shared/owner-api/gate.ts';
import type { Answers, OnFakeEvent } from './fake.ts';

const JOINING_MS = 10 * 60_000;

/** Returns the answers of a fake gate. It is off; joining opens and closes. */
export function gateAnswers(
  onEvent: OnFakeEvent,
): Pick<Answers, keyof typeof GATE_METHODS | keyof typeof DEVICE_PAGE_METHODS> {
  let closesAt = 0;
  let closesAfterOne = false;
  const view = (): GateView => {
    const left = closesAt - Date.now();
    return {
      gate: { state: 'off' },
      joining: { leftMs: left > 0 ? left : null, closesAfterOne, joined: [] },
      attempts: [],
      pending: [],
      addresses: [{ address: '192.168.1.20', interface: 'eth0' }],
      firewall: 'ufw',
      previous: [],
      overBudget: [],
    };
  };
  return {
    gate: view,
    openJoining: (input) => {
      closesAt = Date.now() + JOINING_MS;
      closesAfterOne = input.closesAfterOne;
      onEvent('gate', {});
      return view();
    },
    closeJoining: () => {
      closesAt = 0;
      onEvent('gate', {});
      return view();
    },
    adoptDevice: () => ({}),
    dismissRegistration: view,
    findDevices: () => ({ found: [], asked: 0 }),
    askDevice: ({ address }) => ({ state: 'not_found', address }),
    pointDevice: () => ({ state: 'not_found' }),
  };
}
