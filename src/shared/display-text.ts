// Whatever a device says of itself is hostile input: anyone may register on the public endpoint. The page shows it as
// text, and this takes out what would change the text around it.

/** Longest text shown of a device's own words, in characters as a reader counts them. */
export const SHOWN_NAME_LENGTH = 60;

// Cc control, Cs lone surrogates, Co private use, Cn unassigned; Cf holds the bidi controls, zero-width characters and
// tags. Of Cf only the two joiners stay, which some scripts and emoji can't be written without.
const UNSHOWABLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;
// Letters that are drawn as nothing.
const BLANK = /[\u115f\u1160\u2800\u3164\uffa0]/g;
const SPACES = /[\s\p{Z}]+/gu;
/** More marks than any script stacks on one letter; beyond, they climb over the neighbouring lines. */
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * A device's text made fit to show: one line, without control, bidi and invisible characters, at most `length`
 * characters with an ellipsis for the rest. Empty where nothing visible is left.
 */
export function displayText(text: string, length: number = SHOWN_NAME_LENGTH): string {
  // A hostile text may be long: no more is looked at than could be shown.
  const cleaned = text
    .slice(0, length * 32)
    .replace(SPACES, ' ')
    .replace(UNSHOWABLE, '')
    .replace(BLANK, ' ')
    .replace(SPACES, ' ')
    .replace(STACKED_MARKS, '$1')
    .trim();
  if (!VISIBLE.test(cleaned)) return '';
  const characters = Array.from(new Intl.Segmenter().segment(cleaned), ({ segment }) => segment);
  if (characters.length <= length && cleaned.length <= length * 8) return cleaned;
  let cut = '';
  for (const character of characters.slice(0, length - 1)) {
    if (cut.length + character.length > length * 8) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

/** The start and end of an id or key, enough to tell it by sight: "3f9a12…c04e". */
export function shortId(id: string): string {
  return id.length <= 12 ? id : `${id.slice(0, 6)}…${id.slice(-4)}`;
}

/** Longest result of `deviceName`: with the digits that tell namesakes apart. */
export const DEVICE_NAME_LENGTH = SHOWN_NAME_LENGTH + ' (c04e)'.length;

/** The sources of a device's name. */
interface Named {
  readonly id: string;
  /** As the device said. */
  readonly name: string;
  readonly notes: { readonly displayName: string | null };
  /** Whether another device has the same name. */
  readonly hasNamesake?: boolean;
}

/**
 * The name of a device: the owner's name for it, else its own, else its short id. If another one has the same name, the
 * last four digits of its id follow.
 */
export function deviceName(device: Named): string {
  const name = ownName(device);
  if (name === '') return shortId(device.id);
  return device.hasNamesake === true ? `${name} (${device.id.slice(-4)})` : name;
}

/** The ids of those devices whose name another one of them has too. */
export function namesakes(devices: readonly Named[]): ReadonlySet<string> {
  const byName = Map.groupBy(devices, (device) => ownName(device).toLowerCase());
  return new Set([...byName.values()].flatMap((same) => (same.length === 1 ? [] : same.map(({ id }) => id))));
}

function ownName({ name, notes }: Named): string {
  return displayText(notes.displayName ?? '') || displayText(name);
}
