const PATHS = {
  minus: 'M5 12h14',
  plus: 'M12 5v14M5 12h14',
  left: 'M19 12H5M11 6l-6 6 6 6',
  right: 'M5 12h14M13 6l6 6-6 6',
};

/** The signs of buttons that zoom and pan, in the manner of `Icon`. */
export function StepIcon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg
      width={16}
      height={16}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.9}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
