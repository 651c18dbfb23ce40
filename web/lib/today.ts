import { startOfDay } from 'date-fns'
import { useSyncExternalStore } from 'react'

/** The one clock of ranges: what a list asks for, what its date picker says and what it exports are of the same day. */
let known = startOfDay(new Date())

/** The start of the reader's day; the same object all day long. */
export function today(): Date {
  const now = startOfDay(new Date())
  if (now.getTime() !== known.getTime()) known = now
  return known
}

const CHECK_MS = 30_000

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, CHECK_MS)
  document.addEventListener('visibilitychange', listener)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', listener)
  }
}

/** Moves on at midnight on a page that stays open. */
export const useToday = (): Date => useSyncExternalStore(subscribe, today)
