// The mark of toolgate.

export function Logo({ className = 'size-6' }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={className}>
      <rect width="32" height="32" rx="8" className="fill-solid" />
      <path
        d="M9 24V15a7 7 0 0 1 14 0v9"
        className="stroke-on-solid"
        strokeWidth={2.75}
        strokeLinecap="round"
        fill="none"
      />
      <circle cx="16" cy="17" r="2.5" className="fill-on-solid" />
    </svg>
  );
}
