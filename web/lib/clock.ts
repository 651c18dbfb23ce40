import { parseISO, startOfDay } from 'date-fns'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { dayIn, type Zone } from '#domain/kit/time-zone'

/** The clock of the page. Relative times, due times, date ranges and token expiry read it, so that they agree. */

const system = () => Date.now()
let read = system

/** Milliseconds since the epoch. */
export const now = (): number => read()

/** For tests: replaces the clock, or with null restores the real one. */
export function setClock(clock: (() => number) | null) {
  read = clock ?? system
}

/**
 * Returns the time as a component value, in milliseconds. It is constant until the next tick, so that one render shows one
 * instant. Without an interval it never changes after mounting.
 */
export function useNow(interval?: number): number {
  const [time, setTime] = useState(now)
  useEffect(() => {
    if (interval === undefined) return undefined
    const tick = () => setTime(now())
    const timer = setInterval(tick, interval)
    // Browsers throttle the timers of hidden tabs.
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [interval])
  return time
}

let knownDay = startOfDay(now())

/** Returns the start of the user's day; the same object all day long. */
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

/** Today of a time zone, as the start of that calendar day in the user's own zone: date ranges are calendar days. */
export function useTodayIn(zone: Zone): Date {
  const day = useSyncExternalStore(subscribeToDay, () => dayIn(now(), zone))
  return useMemo(() => parseISO(day), [day])
}

/** `today` that updates at midnight on an open page. */
export const useToday = (): Date => useSyncExternalStore(subscribeToDay, today)
