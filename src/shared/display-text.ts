// All text from a device is hostile input: anyone may register on the public endpoint. The page shows it as text, and
// this module removes characters that would change the text around it.

/** The longest shown text from a device, in characters as a reader counts them. */
export const SHOWN_NAME_LENGTH = 60;

// Cc control, Cs lone surrogates, Co private use, Cn unassigned; Cf includes the bidi controls, zero-width characters
// and tags. Of Cf, only the two joiners stay: some scripts and emoji need them.
const UNSHOWABLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;
// Letters without a visible shape.
const BLANK = /[\u115f\u1160\u2800\u3164\uffa0]/g;
const SPACES = /[\s\p{Z}]+/gu;
/** More marks than any script puts on one letter. More of them would cover the neighbouring lines. */
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Returns a device's text in a form that is safe to show: one line, without control, bidi and invisible characters, cut
 * to `length` characters including an ellipsis. Empty if nothing visible is left.
 */
export function displayText(text: string, length: number = SHOWN_NAME_LENGTH): string {
  // A hostile text may be long: only as much is read as could be shown.
  const cleaned = text
    .slice(0, length * 32)
    .replace(SPACES, ' ')
    .replace(UNSHOWABLE, '')
    .replace(BLANK, ' ')
    .replace(SPACES, ' ')
    .replace(STACKED_MARKS, '$1')
    .trim();
  if (!VISIBLE.test(cleaned)) return '';
  // A character is at least one code unit. To count characters takes longer than all of the above.
  if (cleaned.length <= length) return cleaned;
  const characters = Array.from(new Intl.Segmenter().segment(cleaned), ({ segment }) => segment);
  if (characters.length <= length && cleaned.length <= length * 8) return cleaned;
  let cut = '';
  for (const character of characters.slice(0, length - 1)) {
    if (cut.length + character.length > length * 8) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

/** Returns the start and end of an id or key, enough to recognise it: "3f9a12…c04e". */
export function shortId(id: string): string {
  return id.length <= 12 ? id : `${id.slice(0, 6)}…${id.slice(-4)}`;
}

/** The longest result of `deviceName`, including the digits that distinguish equal names. */
export const DEVICE_NAME_LENGTH = SHOWN_NAME_LENGTH + ' (c04e)'.length;

/** The parts of a device's name. */
interface Named {
  readonly id: string;
  /** The device's own name. */
  readonly name: string;
  readonly notes: { readonly displayName: string | null };
  /** Whether another device has the same name. */
  readonly hasNamesake?: boolean;
}

/**
 * Returns the name of a device: the owner's name for it, else its own, else its short id. If another device has the
 * same name, the last four digits of its id follow.
 */
export function deviceName(device: Named): string {
  const name = ownName(device);
  if (name === '') return shortId(device.id);
  return device.hasNamesake === true ? `${name} (${device.id.slice(-4)})` : name;
}

/** Returns the ids of the devices that share their name with another one. */
export function namesakes(devices: readonly Named[]): ReadonlySet<string> {
  const byName = Map.groupBy(devices, (device) => ownName(device).toLowerCase());
  return new Set([...byName.values()].flatMap((same) => (same.length === 1 ? [] : same.map(({ id }) => id))));
}

function ownName({ name, notes }: Named): string {
  return displayText(notes.displayName ?? '') || displayText(name);
}
