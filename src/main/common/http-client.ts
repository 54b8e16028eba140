/**
 * Node's HTTP client. An import of `node:http` reads all of that module's exports, and one of its getters loads undici,
 * which costs every start about 60 ms.
 */
export const { get, request } = process.getBuiltinModule('node:http');
