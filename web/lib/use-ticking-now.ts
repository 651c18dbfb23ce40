import { useEffect, useState } from 'react'

/** The present, moving on every so many milliseconds: for ages and due times on a screen that stays open. */
export function useTickingNow(milliseconds: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds])
  return now
}
