/** The contents of a file, which give its name. Times are Unix milliseconds; null is unbounded. */
export interface FileContents {
  /** The device's name; any text. */
  readonly device: string;
  readonly from: number | null;
  readonly to: number | null;
  /** The interval of its rows, such as "readings" or "hourly". */
  readonly resolution: string;
  readonly extension: string;
}

/** Returns a name that any file system accepts: program, device, first and last day or time (local), and resolution. */
export function fileName({ device, from, to, resolution, extension }: FileContents): string {
  const name = device
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 40)
    .replace(/-$/, '');
  const isWholeDays = isMidnight(from ?? to) && isMidnight(to === null ? from : to + 1);
  const text = (ms: number) => (isWholeDays ? dayText(ms) : `${dayText(ms)}T${timeText(ms)}`);
  const range =
    from === null && to === null ? ['all'] : [from === null ? 'until' : text(from), to === null ? 'now' : text(to)];
  return `${['wellhouse', name, ...new Set(range), resolution].filter((part) => part !== '').join('_')}.${extension}`;
}

function isMidnight(ms: number | null): boolean {
  if (ms === null) return false;
  const date = new Date(ms);
  return date.getTime() === new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

const two = (value: number) => String(value).padStart(2, '0');

function dayText(ms: number): string {
  const date = new Date(ms);
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function timeText(ms: number): string {
  const date = new Date(ms);
  return `${two(date.getHours())}${two(date.getMinutes())}`;
}

/** Returns local time in a form that spreadsheets of every language recognise: "2026-11-20 13:45:07". */
export function localTimeText(ms: number): string {
  const date = new Date(ms);
  return `${dayText(ms)} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

/** Returns the name of the time zone of local times, such as "America/Sao_Paulo". */
export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
