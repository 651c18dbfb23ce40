import { useState } from 'react'

/** The moment at which the component first appeared: renders stay pure, and one screen speaks of one day. */
export function useNow(): Date {
  const [now] = useState(() => new Date())
  return now
}
