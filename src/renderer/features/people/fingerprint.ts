/** A fingerprint as browsers and phones show it: capitals, two digits at a time. */
export function inGroups(fingerprint: string): string {
  return fingerprint.toUpperCase().match(/../g)?.join(':') ?? '';
}
