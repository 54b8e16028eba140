/** Throws on any member that the stand-in lacks: what it does not know must not pass for working. */
export function strict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(object, member) {
      if (typeof member === 'string' && !(member in object) && member !== 'then') throw unknown(name, member);
      const value: unknown = Reflect.get(object, member);
      // Bound, since the members' own private fields are not the proxy's.
      return typeof value === 'function' ? value.bind(object) : value;
    },
    set(object, member, value) {
      if (typeof member === 'string' && !(member in object)) throw unknown(name, member);
      return Reflect.set(object, member, value);
    },
  });
}

function unknown(name: string, member: string): Error {
  return new Error(`the Electron stand-in has no ${name}.${member}`);
}
