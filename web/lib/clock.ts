import { startOfDay } from 'date-fns'
import { useEffect, useState, useSyncExternalStore } from 'react'

/** The one clock of the page: relative times, due times, date ranges and the expiry of tokens read it, so that they agree. */

const system = () => Date.now()
let read = system

/** Milliseconds since the epoch. */
export const now = (): number => read()

/** For tests: another clock, or with null the real one. */
export function setClock(clock: (() => number) | null) {
  read = clock ?? system
}

/**
 * The time as a value of the component: constant until the next tick, so that one render shows one moment. Without an interval it stays
 * what it was when the component appeared. In milliseconds.
 */
export function useNow(interval?: number): number {
  const [time, setTime] = useState(now)
  useEffect(() => {
    if (interval === undefined) return undefined
    const tick = () => setTime(now())
    const timer = setInterval(tick, interval)
    // Browsers slow down the timers of hidden tabs.
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [interval])
  return time
}

let knownDay = startOfDay(now())

/** The start of the reader's day; the same object all day long. */
export function today(): Date {
  const day = startOfDay(now())
  if (day.getTime() !== knownDay.getTime()) knownDay = day
  return knownDay
}

const DAY_CHECK = 30_000

function subscribeToDay(listener: () => void): () => void {
  const timer = setInterval(listener, DAY_CHECK)
  document.addEventListener('visibilitychange', listener)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', listener)
  }
}

/** `today` that changes at midnight on a page that stays open. */
export const useToday = (): Date => useSyncExternalStore(subscribeToDay, today)
