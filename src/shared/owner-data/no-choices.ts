import type { OwnerChoices } from './choices.ts';

/** The choices before the owner makes any. */
export const NO_CHOICES: OwnerChoices = {
  units: {},
  groups: [],
  comparisons: [],
  keyCopies: { exportedAt: null, isLacking: true },
  bridge: { leftOut: [] },
  setup: { skipped: [], unwatched: [], isOver: false },
  climate: {},
};
