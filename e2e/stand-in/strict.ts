import type { EventEmitter } from 'node:events';
import { has } from './typings.ts';

const LISTENING = ['on', 'once', 'off', 'addListener', 'removeListener'];
/** The members of every object, and those that Promise reads from any value. */
const OF_ALL_OBJECTS = ['then', 'constructor', 'toString', 'valueOf', 'toJSON'];

/**
 * Throws on any member that the stand-in lacks, and on any member or event that Electron's typings don't have on this
 * system: an unknown member must not seem to work. `type` is the name in the typings, such as `App`.
 */
export function strict<T extends object>(type: string, target: T): T {
  return new Proxy(target, {
    get(object, member) {
      if (typeof member === 'string' && !OF_ALL_OBJECTS.includes(member)) check(type, object, member);
      const value: unknown = Reflect.get(object, member);
      if (typeof value !== 'function') return value;
      // Bound to the object, because the proxy lacks its private fields.
      const method: (...values: unknown[]) => unknown = value.bind(object);
      if (typeof member !== 'string' || !LISTENING.includes(member)) return method;
      return (event: string, ...values: unknown[]) => {
        checkEvent(type, event);
        return method(event, ...values);
      };
    },
    set(object, member, value) {
      if (typeof member === 'string') check(type, object, member);
      return Reflect.set(object, member, value);
    },
  });
}

/** Emits an event as Electron does. Throws if Electron does not have it on this system. */
export function emitAs(type: string, emitter: EventEmitter, event: string, ...values: unknown[]): boolean {
  checkEvent(type, event);
  return emitter.emit(event, ...values);
}

function check(type: string, object: object, member: string): void {
  if (!(member in object)) throw new Error(`the Electron stand-in has no ${type}.${member}`);
  if (LISTENING.includes(member) || has(type, 'members', member)) return;
  throw new Error(`Electron has no ${type}.${member} on ${process.platform}`);
}

function checkEvent(type: string, event: string): void {
  if (!has(type, 'events', event))
    throw new Error(`Electron has no event '${event}' of ${type} on ${process.platform}`);
}
