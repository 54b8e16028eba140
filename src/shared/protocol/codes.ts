/** The forms in which a policy lets a destination receive a field. */
export const Disposition = { OMIT: 0, PLAIN: 1, ENCRYPTED: 2 } as const;
export type Disposition = (typeof Disposition)[keyof typeof Disposition];

/** Where a device's readings are kept. */
export const PublishTo = { LOCAL_ONLY: 0, PUBLIC: 1, BOTH: 2 } as const;
export type PublishTo = (typeof PublishTo)[keyof typeof PublishTo];

export const DeviceType = { SENSOR_MAINS: 0, SENSOR_BATTERY: 1, GATEWAY: 2 } as const;
export type DeviceType = (typeof DeviceType)[keyof typeof DeviceType];

export const DeviceStatus = { ACTIVE: 0, INACTIVE: 1, LOST: 2 } as const;
export type DeviceStatus = (typeof DeviceStatus)[keyof typeof DeviceStatus];

/**
 * One of a node's two stores: the private one keeps what reaches the owner's own listeners, the public one what reaches
 * the public listener. Whatever concerns kept data (stores, counts, readings, events) is named by its store.
 */
export type StoreName = 'private' | 'public';

/**
 * One of a node's listeners: a way in, with an address, guards and limits of its own. Whatever concerns a port or an
 * address is named by its listener. Several listeners may bring blocks to one store.
 */
export type ListenerName = EndpointName | 'gate';

/** The listeners that the protocol has, which also answer what is asked of their store. */
export type EndpointName = 'local' | 'public';
