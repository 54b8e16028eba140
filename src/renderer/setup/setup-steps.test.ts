import { expect, it } from 'vitest';
import { NO_CHOICES } from '../../shared/owner-data/no-choices.ts';
import { NO_NOTES } from '../../shared/owner-data/notes.ts';
import { nextStep, type SetupFacts, stepsLeft } from './setup-steps.ts';

const device = { id: 'aa', mine: true, notes: NO_NOTES };
const NEW: SetupFacts = {
  ...{ devices: [], choices: NO_CHOICES, rangesOf: () => [], channels: [], backupFolder: null },
};
const channel = (kind: 'ntfy' | 'desktop', lastSuccessAt: number | null, isOn = true) =>
  ({ channel: { isOn, target: { kind } }, lastSuccessAt }) as SetupFacts['channels'][number];

it('a new node has every step left', () => {
  expect(stepsLeft(NEW)).toEqual(['device', 'place', 'crop', 'phone', 'backup']);
});

it.each<[string, Partial<SetupFacts>]>([
  ['device', { devices: [device] }],
  ['place', { devices: [{ ...device, notes: { ...NO_NOTES, displayName: 'Tank room' } }] }],
  [
    'place',
    {
      devices: [device],
      choices: { ...NO_CHOICES, groups: [{ id: 'g', name: 'Shed', isCollapsed: false, devices: ['aa'] }] },
    },
  ],
  ['crop', { devices: [device], rangesOf: () => [{}] as never }],
  ['crop', { devices: [device], choices: { ...NO_CHOICES, setup: { ...NO_CHOICES.setup, unwatched: ['aa'] } } }],
  ['phone', { channels: [channel('ntfy', 1)] }],
  ['backup', { backupFolder: '/media/usb' }],
])('%s is done by what is there', (step, facts) => {
  expect(stepsLeft({ ...NEW, ...facts })).not.toContain(step);
});

it('a channel counts after a message was sent through it, on a phone', () => {
  for (const each of [channel('ntfy', null), channel('ntfy', 1, false), channel('desktop', 1)]) {
    expect(stepsLeft({ ...NEW, channels: [each] })).toContain('phone');
  }
});

it('continues with the next step that is neither done nor postponed, and returns to earlier ones', () => {
  expect(nextStep(['place', 'crop', 'backup'], [], null)).toBe('place');
  expect(nextStep(['place', 'crop', 'backup'], ['crop'], 'place')).toBe('backup');
  expect(nextStep(['place', 'backup'], [], 'backup')).toBe('place');
  expect(nextStep(['place', 'backup'], ['place'], 'backup')).toBeNull();
});
