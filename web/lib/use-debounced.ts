import { useEffect, useRef, useState } from 'react'

/**
 * Returns the value after it has been stable for the given time. Changes are detected by `key`, since values may be new objects
 * each time.
 */
export function useDebounced<T>(value: T, milliseconds: number, key: string = String(value)): T {
  const [settled, setSettled] = useState({ value, key })
  // Values with the same key are equal, so a newer one does not restart the delay.
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
