// Our own icons, drawn as strokes on a 24 × 24 grid. They need no icon package and no font, and a strict CSP does not
// block them.

const PATHS = {
  alert: 'M12 4 2.8 19.5h18.4zM12 10v4.5M12 17.2v.1',
  'arrow-down': 'M12 5v14M6 13l6 6 6-6',
  'arrow-left': 'M19 12H5M11 6l-6 6 6 6',
  'arrow-right': 'M5 12h14M13 6l6 6-6 6',
  'arrow-up': 'M12 19V5M6 11l6-6 6 6',
  bell: 'M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1.5H5zM10 20.5h4',
  calendar: 'M4.5 6h15v13.5h-15zM4.5 10.5h15M8.5 3.5V7M15.5 3.5V7',
  camera: 'M3.5 7.5h4l1.5-2.5h6l1.5 2.5h4v12h-17zM12 10a3.3 3.3 0 1 0 0 6.6A3.3 3.3 0 0 0 12 10z',
  check: 'M5 12.5 10 17.5 19.5 7',
  'chevron-down': 'M6 9.5 12 15.5 18 9.5',
  'chevron-right': 'M9.5 6 15.5 12 9.5 18',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2',
  close: 'M6 6l12 12M18 6 6 18',
  code: 'M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5',
  columns: 'M4 5h16v14H4zM9.3 5v14M14.7 5v14',
  compare: 'M4 4.5v15h16M7.5 14.5l4-5 3 2.5 5-6M7.5 17l5-2 3 .8 4.5-2.8',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  critical: 'M8.3 3.5h7.4l4.8 4.8v7.4l-4.8 4.8H8.3l-4.8-4.8V8.3zM12 7.8v5M12 16v.1',
  database: 'M5 6.5c0-3.6 14-3.6 14 0v11c0 3.6-14 3.6-14 0zM5 6.5c0 3.6 14 3.6 14 0M5 12c0 3.6 14 3.6 14 0',
  device: 'M7 9h10v11H7zM12 9V5M8.5 3.5a5 5 0 0 1 7 0M10 13h4',
  download: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  edit: 'M4.5 19.5v-4L15.5 4.5l4 4-11 11zM13 7l4 4',
  eye: 'M3.5 12S6.5 6 12 6s8.5 6 8.5 6-3 6-8.5 6-8.5-6-8.5-6zM12 9.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8z',
  'eye-off': 'M3.5 12S6.5 6 12 6s8.5 6 8.5 6-3 6-8.5 6-8.5-6-8.5-6zM4.5 19.5l15-15',
  filter: 'M4 5h16l-6 7.5V19l-4-2v-4.5z',
  folder: 'M3.5 5.5h6l2 3h9v10.5h-17z',
  globe: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c5 5 5 12 0 17M12 3.5c-5 5-5 12 0 17',
  info: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5.5M12 7.5v.1',
  key: 'M8 11.5a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12.5l8.5-8.5M16 7.5l3 3',
  list: 'M4.5 6.5h.1M4.5 12h.1M4.5 17.5h.1M8.5 6.5H20M8.5 12H20M8.5 17.5H20',
  lock: 'M5.5 11h13v9h-13zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2',
  'lock-alert': 'M5.5 11h13v9h-13zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 13.2v3M12 17.9v.1',
  'map-pin': 'M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11zM12 8a2.2 2.2 0 1 0 0 4.4A2.2 2.2 0 0 0 12 8z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  minus: 'M5 12h14',
  monitor: 'M3.5 5h17v11h-17zM8.5 20h7M12 16v4',
  moon: 'M19.5 14A8 8 0 0 1 10 4.5a8 8 0 1 0 9.5 9.5z',
  phone: 'M7.5 3.5h9v17h-9zM10.8 17.6h2.4',
  play: 'M7 5l12 7-12 7z',
  plus: 'M12 5v14M5 12h14',
  print: 'M7 8.5V4h10v4.5M7 16H4.5V8.5h15V16H17M7 13.5h10V20H7z',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 4v4.5H15',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.3 15.3 20 20',
  settings:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM10.3 3.5h3.4l.5 2.5 1.9 1.1 2.4-.8 1.7 2.9-1.9 1.7v2.2l1.9 1.7-1.7 2.9-2.4-.8-1.9 1.1-.5 2.5h-3.4l-.5-2.5-1.9-1.1-2.4.8-1.7-2.9 1.9-1.7v-2.2L3.8 9.2l1.7-2.9 2.4.8 1.9-1.1z',
  share:
    'M6 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM18 3a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM18 16a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8.2 10.8l7.6-4.1M8.2 13.2l7.6 4.1',
  sort: 'M8 5v14M4.5 8.5 8 5l3.5 3.5M16 19V5M12.5 15.5 16 19l3.5-3.5',
  sprout: 'M12 20.5V11M12 13c0-4.5 3-7 8-7 0 4.5-3 7-8 7zM12 11C12 7 9.5 4.5 4.5 4.5 4.5 8.5 7 11 12 11zM7 20.5h10',
  stop: 'M6.5 6.5h11v11h-11z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5V5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3 7 7M17 17l1.7 1.7M5.3 18.7 7 17M17 7l1.7-1.7',
  table: 'M4 5h16v14H4zM4 9.7h16M4 14.3h16M9.5 5v14',
  trash: 'M4.5 7h15M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5M14 11v5',
  upload: 'M12 15V4M7 8.5l5-5 5 5M4.5 20h15',
  unlock: 'M5.5 11h13v9h-13zM8.5 11V7.5a3.5 3.5 0 0 1 6.8-1.2M12 14.5v2',
  unlink: 'M10 6.5l2-2a4.2 4.2 0 0 1 6 6l-2 2M14 17.5l-2 2a4.2 4.2 0 0 1-6-6l2-2M4 4l16 16',
} as const;

export type IconName = keyof typeof PATHS;

const rem = (size: number): string => `${size / 16}rem`;

/**
 * An icon next to a text, or alone with a `label` for screen readers. `size` in CSS pixels at the usual size of text,
 * with which it grows.
 */
export function Icon({ name, size = 16, label }: { name: IconName; size?: number; label?: string }) {
  const isOrnament = label === undefined;
  return (
    <svg
      aria-hidden={isOrnament || undefined}
      aria-label={label}
      role={isOrnament ? undefined : 'img'}
      width={rem(size)}
      height={rem(size)}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={size >= 24 ? 1.5 : 1.9}
      strokeLinecap="round"
      strokeLinejoin="round"
      focusable="false"
      style={{ flex: 'none' }}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The logo: a drop of water in a square. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={rem(size)} height={rem(size)} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#006c7d" />
      <path d="M16 6.5c4.5 5.2 6.5 8.3 6.5 11.5a6.5 6.5 0 0 1-13 0c0-3.2 2-6.3 6.5-11.5z" fill="#e8f6f8" />
      <path d="M12.5 18.5A3.5 3.5 0 0 0 16 22" fill="none" stroke="#006c7d" strokeWidth="1.8" strokeLinecap="round" />
    </svg>
  );
}
