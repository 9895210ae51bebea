// The mark of toolgate.

export function Logo({ className = 'size-6' }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={className}>
      <rect width="32" height="32" rx="8" className="fill-solid" />
      <path d="M8 11h16M8 21h16" className="stroke-on-solid" strokeWidth={2.5} strokeLinecap="round" />
      <path d="M12.5 11v10M19.5 11v10" className="stroke-accent" strokeWidth={2.5} strokeLinecap="round" />
    </svg>
  );
}
