// The allowed texts of settings, for the settings and for pages, which do not load zod.

/** A host name in lowercase, without port or scheme. */
export const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/;

/** The secret of a caller, as in a header. */
export const BEARER_TOKEN = /^[\w.~+/=-]{16,200}$/;

// No login: the page, the settings file and the log show the address, and would show the login too.
const BROKER_URL =
  /^(?:mqtts?|wss?):\/\/(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{1,5}))?(\/[!-~]{0,300})?$/;

/** Returns whether a text is the address of an MQTT broker, without a login. */
export function isBrokerUrl(text: string): boolean {
  const [, port, path = ''] = BROKER_URL.exec(text) ?? ['', '0'];
  if (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535)) return false;
  return text.startsWith('ws') ? !/[@#]/.test(path) : path === '' || path === '/';
}

/** Levels of a topic. `+` and `#` are wildcards in a subscription, and `$` starts the broker's own topics. */
const TOPIC_PREFIX = /^(?!\$)[^+#/\p{Cc}\p{Cs}]+(?:\/[^+#/\p{Cc}\p{Cs}]+)*$/u;
export const MAX_TOPIC_PREFIX = 100;

/** Returns whether a text may be the first part of MQTT topics. */
export const isTopicPrefix = (text: string): boolean => text.length <= MAX_TOPIC_PREFIX && TOPIC_PREFIX.test(text);
