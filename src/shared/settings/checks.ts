// What texts of settings may be, for the settings and for pages, which load no zod.

/** A host name in lowercase, without port or scheme. */
export const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/;

/** The secret of a caller, as it stands in a header. */
export const BEARER_TOKEN = /^[\w.~+/=-]{16,200}$/;

// The page, the settings file and the log show it: a login in it would be shown too.
const BROKER_URL =
  /^(?:mqtts?|wss?):\/\/(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{1,5}))?(\/[!-~]{0,300})?$/;

/** Whether a text is the address of an MQTT broker, without a login. */
export function isBrokerUrl(text: string): boolean {
  const [, port, path = ''] = BROKER_URL.exec(text) ?? ['', '0'];
  if (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535)) return false;
  return text.startsWith('ws') ? !/[@#]/.test(path) : path === '' || path === '/';
}

/** Levels of a topic; `+` and `#` stand for others in a subscription, and `$` begins the broker's own. */
const TOPIC_PREFIX = /^(?!\$)[^+#/\p{Cc}\p{Cs}]+(?:\/[^+#/\p{Cc}\p{Cs}]+)*$/u;
export const MAX_TOPIC_PREFIX = 100;

/** Whether a text may be the first part of MQTT topics. */
export const isTopicPrefix = (text: string): boolean => text.length <= MAX_TOPIC_PREFIX && TOPIC_PREFIX.test(text);
