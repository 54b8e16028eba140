/** The forms in which a policy allows a destination to receive a field. */
export const Disposition = { OMIT: 0, PLAIN: 1, ENCRYPTED: 2 } as const;
export type Disposition = (typeof Disposition)[keyof typeof Disposition];

/** The stores that receive a device's readings. */
export const PublishTo = { LOCAL_ONLY: 0, PUBLIC: 1, BOTH: 2 } as const;
export type PublishTo = (typeof PublishTo)[keyof typeof PublishTo];

export const DeviceType = { SENSOR_MAINS: 0, SENSOR_BATTERY: 1, GATEWAY: 2 } as const;
export type DeviceType = (typeof DeviceType)[keyof typeof DeviceType];

export const DeviceStatus = { ACTIVE: 0, INACTIVE: 1, LOST: 2 } as const;
export type DeviceStatus = (typeof DeviceStatus)[keyof typeof DeviceStatus];

/**
 * One of a node's two stores: the private one stores the readings from the owner's own listeners, the public one those
 * from the public listener. Everything about stored data (stores, counts, readings, events) uses the store's name.
 */
export type StoreName = 'private' | 'public';

/**
 * One of a node's listeners: an entrance with its own address, guards and limits. Everything about a port or an address
 * uses the listener's name. Several listeners may bring blocks to one store.
 */
export type ListenerName = EndpointName | 'gate';

/** The listeners of the protocol, which also answer requests for data of their store. */
export type EndpointName = 'local' | 'public';
