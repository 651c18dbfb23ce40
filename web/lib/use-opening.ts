import { useEffect, useState } from 'react'

/** Longest wait, milliseconds: what is slower may push the rest down. */
const MOST_MS = 1000

/** True on a page that opens until what lies above the rest is there; then false, whatever is loaded again. */
export function useOpening(waits: boolean): boolean {
  const [over, setOver] = useState(!waits)
  if (!waits && !over) setOver(true)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), MOST_MS)
    return () => clearTimeout(timer)
  }, [])
  return !over
}
