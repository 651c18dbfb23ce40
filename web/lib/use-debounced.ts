import { useEffect, useState } from 'react'

/** The value once it has kept still for a while. What differs is told by its key, since values may be made anew each time. */
export function useDebounced<T>(value: T, milliseconds: number, key: string = String(value)): T {
  const [settled, setSettled] = useState({ value, key })
  useEffect(() => {
    if (settled.key === key) return undefined
    const timer = setTimeout(() => setSettled({ value, key }), milliseconds)
    return () => clearTimeout(timer)
    // A new object with the same key is the same value.
    // eslint-disable-next-line react/exhaustive-deps
  }, [key, settled.key, milliseconds])
  return settled.value
}
