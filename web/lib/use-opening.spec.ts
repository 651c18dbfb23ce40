import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useOpening } from './use-opening.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const open = (waits: boolean) => renderHook(({ still }) => useOpening(still), { initialProps: { still: waits } })

it('opens at once where nothing is waited for', () => expect(open(false).result.current).toBe(false))

it('opens with what it waits for, and stays open while that is loaded again', () => {
  const { result, rerender } = open(true)
  expect(result.current).toBe(true)
  rerender({ still: false })
  expect(result.current).toBe(false)
  rerender({ still: true })
  expect(result.current).toBe(false)
})

it('opens after a second without it', () => {
  const { result } = open(true)
  act(() => void vi.advanceTimersByTime(999))
  expect(result.current).toBe(true)
  act(() => void vi.advanceTimersByTime(1))
  expect(result.current).toBe(false)
})
