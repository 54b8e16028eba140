/** A drop of water in a square. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#006c7d" />
      <path d="M16 6.5c4.5 5.2 6.5 8.3 6.5 11.5a6.5 6.5 0 0 1-13 0c0-3.2 2-6.3 6.5-11.5z" fill="#e8f6f8" />
      <path d="M12.5 18.5A3.5 3.5 0 0 0 16 22" fill="none" stroke="#006c7d" strokeWidth="1.8" strokeLinecap="round" />
    </svg>
  );
}
