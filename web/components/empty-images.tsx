/** Decorative line drawings for empty screens, coloured by the theme tokens. */

const frame = { width: 120, height: 88, viewBox: '0 0 120 88', fill: 'none', 'aria-hidden': true } as const

export function BoardImage() {
  return (
    <svg {...frame}>
      <path d="M60 58v24M44 82h32" className="stroke-input" strokeWidth="2" strokeLinecap="round" />
      <rect x="20" y="8" width="80" height="50" rx="6" className="fill-card stroke-input" strokeWidth="2" />
      <rect x="28" y="16" width="34" height="34" rx="4" className="fill-primary-tint" />
      <path
        d="M35 42l8-10 6 6 4-5 6 9"
        className="stroke-primary-ink"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="53" cy="24" r="3" className="fill-primary-ink" />
      <path d="M70 20h22M70 29h22M70 38h12" className="stroke-border" strokeWidth="4" strokeLinecap="round" />
    </svg>
  )
}

export function SearchImage() {
  return (
    <svg {...frame}>
      <rect x="16" y="18" width="66" height="12" rx="4" className="fill-card stroke-border" strokeWidth="2" />
      <rect x="16" y="38" width="66" height="12" rx="4" className="fill-card stroke-border" strokeWidth="2" />
      <rect x="16" y="58" width="66" height="12" rx="4" className="fill-card stroke-border" strokeWidth="2" />
      <circle cx="78" cy="44" r="17" className="fill-primary-tint stroke-primary-ink" strokeWidth="2" />
      <path d="M91 57l11 11" className="stroke-primary-ink" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}

export function LogImage() {
  return (
    <svg {...frame}>
      <path d="M34 16v56" className="stroke-border" strokeWidth="2" />
      <circle cx="34" cy="20" r="6" className="fill-primary-tint stroke-primary-ink" strokeWidth="2" />
      <circle cx="34" cy="44" r="6" className="fill-card stroke-input" strokeWidth="2" />
      <circle cx="34" cy="68" r="6" className="fill-card stroke-input" strokeWidth="2" />
      <path d="M52 20h46M52 44h34M52 68h40" className="stroke-border" strokeWidth="6" strokeLinecap="round" />
    </svg>
  )
}

export function DoneImage() {
  return (
    <svg {...frame}>
      <circle cx="60" cy="44" r="30" className="fill-success-tint stroke-success-dot" strokeWidth="2" />
      <path d="M47 45l9 9 18-19" className="stroke-success" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round" />
      <path d="M14 70h16M92 16h14M96 72h10" className="stroke-border" strokeWidth="4" strokeLinecap="round" />
    </svg>
  )
}
