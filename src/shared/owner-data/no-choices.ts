import type { OwnerChoices } from './choices.ts';

/** What holds until the owner chooses. */
export const NO_CHOICES: OwnerChoices = {
  units: {},
  groups: [],
  comparisons: [],
  keyCopies: { exportedAt: null, isLacking: true },
  bridge: { leftOut: [] },
};
