// Kept apart from the schemas, so that the first page does not load their library.

/** The longest retention period, by unit: about twenty years. */
export const MAX_KEPT = { days: 7300, weeks: 1040, months: 240 } as const;
/** The free space that compacting needs, as a multiple of the file size. It writes the used pages to a copy and to the log. */
export const COMPACT_ROOM_FACTOR = 2.2;
/** The longest name of another node, in characters. */
export const MAX_NODE_NAME = 60;
/** The longest name of a pairing, in characters. */
export const MAX_PAIRING_NAME = 60;

/**
 * The reasons for refusing a device. `rate`: it exceeded GATE_DEVICE_RATE at the gate. `disk`: it sent far more than the
 * others while the disk has little space. `share`: the rest of the public store is reserved for the owner's devices. `list`:
 * the public store has as many devices as it may.
 */
export const BUDGETS = ['rate', 'disk', 'share', 'list'] as const;

/** The formats of exports. */
export const EXPORT_FORMATS = ['csv', 'ndjson', 'parquet', 'sqlite'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
