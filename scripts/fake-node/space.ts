import { NO_RETENTION, type Retention, retention } from '../../src/shared/owner-api/retention.ts';
import type { Answers } from './fake.ts';

const BYTES_PER_READING = 103;

type SpaceAnswers = Pick<
  Answers,
  'space' | 'retention' | 'previewRetention' | 'setRetention' | 'careState' | 'compactStore'
>;

/** Returns the fake node's answers about its store's size and retention. It deletes nothing. */
export function spaceAnswers(deviceIds: () => readonly string[]): SpaceAnswers {
  let rules: Retention = NO_RETENTION;
  let unusedBytes = 12_000_000;
  const devices = () => deviceIds().map((id, index) => ({ id, readings: 40_000 * (index + 1) }));
  const readings = () => devices().reduce((sum, device) => sum + device.readings, 0);
  const state = { deleting: null, lastDeletion: null, compacting: null };
  return {
    space: () => ({
      stores: [
        {
          store: 'private',
          bytes: readings() * BYTES_PER_READING + unusedBytes,
          unusedBytes,
          readingsPerDay: 1440 * deviceIds().length,
          bytesPerDay: 1440 * deviceIds().length * BYTES_PER_READING,
          devices: devices(),
        },
      ],
    }),
    retention: () => rules,
    previewRetention: (input) => {
      const { private: span } = retention.parse(input);
      const found = span === null ? 0 : Math.round(readings() / (span.count + 1));
      return { stores: [{ store: 'private', readings: found, bytes: found * BYTES_PER_READING, devices: [] }] };
    },
    setRetention: (input) => {
      rules = retention.parse(input);
      return state;
    },
    careState: () => state,
    compactStore: () => {
      const before = readings() * BYTES_PER_READING + unusedBytes;
      unusedBytes = 0;
      return { before, after: readings() * BYTES_PER_READING };
    },
  };
}
