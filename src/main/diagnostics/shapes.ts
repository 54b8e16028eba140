// What is private by its shape alone: it need not be known to be told from other text.

/** Other people's homes, in paths and file URLs of any system. */
export const HOMES = /(?:\/home|\/Users|\/root(?=\/|$)|[A-Za-z]:[\\/]+Users)(?:(?<=root)|[\\/]+[^\\/\s"'<>|:;,)]+)/g;
export const MAC = /(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?![0-9A-Za-z])/g;
export const HEX = /(?<![0-9A-Za-z])(?:0x)?[0-9A-Fa-f]{12,}(?![0-9A-Za-z])/g;
/** 64-bit values, such as a place, in decimal; a time in milliseconds is shorter. */
export const LONG_NUMBER = /(?<![0-9A-Za-z.])[0-9]{15,}(?![0-9A-Za-z])/g;
export const SECRET = /(?<![A-Za-z0-9_+-])[A-Za-z0-9_+-]{32,}={0,2}/g;
export const PADDED_BASE64 = /(?:[A-Za-z0-9+/]{4}){8,}[A-Za-z0-9+/]{2,3}={1,2}/g;
export const ADDRESS =
  /(?<![0-9A-Za-z.])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7})(?![0-9A-Za-z])/g;
/** The name and the password in an address. */
export const LOGIN = /(?<=[A-Za-z][A-Za-z0-9+.-]*:\/\/)[^\s/?#"'<>]+(?=@)/g;
/** The last label is of letters: `fastify@5.12.8` is a package. */
export const MAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?![\p{L}\p{N}])/gu;

/** A part of a path; one with spaces is known by the separator that follows. */
const PART = String.raw`(?:[^\\/\s"'<>|:;,()]+(?: [^\\/\s"'<>|:;,()]+){0,4}(?=[\\/])|[^\\/\s"'<>|:;,()]+)`;
/** An absolute path or a file URL's, from wherever it can begin; not what follows a stand-in, a home or a word. */
const UNIX_PATH = String.raw`(?:(?<=file:\/\/)|(?<![\p{L}\p{N}.~>\\/_-]))\/${PART}(?:\/+${PART})*`;
const WINDOWS_PATH = String.raw`(?:(?<![\p{L}\p{N}])[A-Za-z]:|(?<![\p{L}\p{N}:\\/])\\(?=\\))[\\/]+${PART}(?:[\\/]+${PART})*`;
const PATH = new RegExp(`${UNIX_PATH}|${WINDOWS_PATH}`, 'gu');
/** Folders that every system has, and the node's own routes: they tell what happened, and nobody's secrets. */
const KNOWN =
  /^(?:\/(?:usr|bin|sbin|lib|lib64|etc|proc|sys|dev|opt|boot|snap|nix|System|Library|Applications|v1|ui|health|openapi\.json|assets)(?=\/|$)|[A-Za-z]:[\\/]+(?:Windows|Program Files(?: \(x86\))?|ProgramData)(?=[\\/]|$))/i;
/** From here on a path is the program's own. */
const CODE = /[\\/](?:app\.asar|node_modules|out[\\/]+(?:main|preload|renderer)|src[\\/]+main)(?:\.unpacked)?[\\/].*$/;

/** A text whose absolute paths, but for the known ones, are what `standIn` makes of them. */
export function withoutPaths(text: string, standIn: (path: string) => string): string {
  return text.replace(PATH, (found) => {
    if (KNOWN.test(found)) return found;
    const code = CODE.exec(found)?.[0] ?? '';
    return standIn(found.slice(0, found.length - code.length)) + code;
  });
}
