/**
 * Node's HTTP client. An import of `node:http` reads everything that module exports, and one of its getters loads undici,
 * which costs every start some 60 ms.
 */
export const { get, request } = process.getBuiltinModule('node:http');
