import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { now, setClock, today, useNow, useToday } from './clock.ts'

let time = Date.parse('2026-03-01T23:59:50')

beforeEach(() => {
  vi.useFakeTimers()
  time = Date.parse('2026-03-01T23:59:50')
  setClock(() => time)
})
afterEach(() => {
  vi.useRealTimers()
  setClock(null)
})

const pass = (milliseconds: number) =>
  act(() => {
    time += milliseconds
    vi.advanceTimersByTime(milliseconds)
  })

describe('the clock of the page', () => {
  it('returns the time that a test sets', () => {
    expect(now()).toBe(time)
    setClock(null)
    expect(now()).toBe(Date.now())
  })

  it('updates a component at its interval', () => {
    const start = time
    const { result } = renderHook(() => useNow(30_000))
    pass(29_000)
    expect(result.current).toBe(start)
    pass(1000)
    expect(result.current).toBe(start + 30_000)
  })

  it('does not update a component without an interval', () => {
    const { result } = renderHook(() => useNow())
    const start = result.current
    pass(3_600_000)
    expect(result.current).toBe(start)
  })

  it('updates when a hidden tab is shown again', () => {
    const { result } = renderHook(() => useNow(30_000))
    act(() => {
      time += 5000
      document.dispatchEvent(new Event('visibilitychange'))
    })
    expect(result.current).toBe(time)
  })

  it('starts another day at midnight', () => {
    const { result } = renderHook(() => useToday())
    const before = result.current
    expect(before).toBe(today())
    pass(30_000)
    expect(result.current.getTime() - before.getTime()).toBe(86_400_000)
  })
})
