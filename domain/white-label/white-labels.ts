/** A brand under which the product is sold. */
export type WhiteLabel = {
  readonly id: string
  readonly name: string
  /** Seconds east of UTC: the time zone of the white-label's own days. */
  readonly timezone_offset_seconds: number
}

/** The default white-label of hosts that name none, and the others by their host label (decisions G-202). */
const DEFAULT: WhiteLabel = { id: 'dsp', name: 'Placard', timezone_offset_seconds: 0 }
const OTHERS: Readonly<Record<string, WhiteLabel>> = {
  am: { id: 'am', name: 'Placard', timezone_offset_seconds: 4 * 3600 },
  ng: { id: 'ng', name: 'Placard', timezone_offset_seconds: 3600 },
  tn: { id: 'tn', name: 'Placard', timezone_offset_seconds: 3600 },
}

/**
 * The white-label of a host name: its first label if that names one, else the default. IP addresses, localhost and unknown labels
 * mean the default (platform.md §1, decisions G-202).
 */
export function whiteLabelOfHost(hostname: string): WhiteLabel {
  const [first = ''] = hostname.toLowerCase().split('.', 1)
  return (Object.hasOwn(OTHERS, first) ? OTHERS[first] : undefined) ?? DEFAULT
}
