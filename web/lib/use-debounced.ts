import { useEffect, useRef, useState } from 'react'

/** The value once it has kept still for a while. What differs is told by its key, since values may be made anew each time. */
export function useDebounced<T>(value: T, milliseconds: number, key: string = String(value)): T {
  const [settled, setSettled] = useState({ value, key })
  // Values with the same key are the same, so a newer one does not begin the wait again.
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  useEffect(() => {
    if (settled.key === key) return undefined
    const timer = setTimeout(() => setSettled({ value: latest.current, key }), milliseconds)
    return () => clearTimeout(timer)
  }, [key, settled.key, milliseconds])
  return settled.value
}
