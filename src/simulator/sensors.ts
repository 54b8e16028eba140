/** The sensors that the firmware's page reports on. */
export const SENSORS = ['dht', 'tds', 'laser', 'battery'] as const;
export type Sensor = (typeof SENSORS)[number];
