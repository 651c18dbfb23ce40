import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { cellsAt, cellsBetween, countOf, paint, ROWS, shareAt, type Place, type Schedule } from './schedule.ts'

type Stroke = { readonly before: Schedule; readonly from: Place; readonly on: boolean }

const LAST_HOUR = 23
const within = (place: Place): Place => ({
  row: Math.max(0, Math.min(ROWS - 1, place.row)),
  hour: Math.max(0, Math.min(LAST_HOUR, place.hour)),
})

/** Where a key leads from a place; undefined for keys that do not move. */
function placeAfter(event: KeyboardEvent, { row, hour }: Place): Place | undefined {
  const whole = event.ctrlKey || event.metaKey
  const places: Readonly<Record<string, Place>> = {
    ArrowLeft: { row, hour: hour - 1 },
    ArrowRight: { row, hour: hour + 1 },
    ArrowUp: { row: row - 1, hour },
    ArrowDown: { row: row + 1, hour },
    Home: { row: whole ? 0 : row, hour: 0 },
    End: { row: whole ? ROWS - 1 : row, hour: LAST_HOUR },
  }
  const place = places[event.key]
  return place === undefined ? undefined : within(place)
}

function placeOf(target: EventTarget): Place | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  return cell ? { row: Number(cell.dataset.row), hour: Number(cell.dataset.hour) } : undefined
}

type GridInput = {
  readonly schedule: Schedule
  readonly disabled: boolean
  readonly onChange: (schedule: Schedule) => void
  /** Says what was painted: how many hours became on or off. */
  readonly onPainted: (hours: number, on: boolean) => void
}

/** Mouse, pen, touch and keys of the schedule grid. The first place of a stroke decides whether it switches on or off. */
export function useScheduleGrid({ schedule, disabled, onChange, onPainted }: GridInput) {
  const [at, setAt] = useState<Place>({ row: 1, hour: 0 })
  const stroke = useRef<Stroke | null>(null)
  const latest = useRef(schedule)
  latest.current = schedule

  const apply = (next: Schedule) => {
    const hours = Math.abs(countOf(next) - countOf(latest.current))
    if (hours === 0) return
    latest.current = next
    onChange(next)
  }
  const toggle = (place: Place) => {
    const on = shareAt(latest.current, place) !== 'all'
    const before = countOf(latest.current)
    apply(paint(latest.current, cellsAt(place), on))
    onPainted(Math.abs(countOf(latest.current) - before), on)
  }
  const extend = (to: Place) => {
    if (stroke.current === null) return
    const { before, from, on } = stroke.current
    apply(paint(before, cellsBetween(from, to), on))
  }
  const finish = useRef(() => {})
  finish.current = () => {
    if (stroke.current === null) return
    const { before, on } = stroke.current
    stroke.current = null
    onPainted(Math.abs(countOf(latest.current) - countOf(before)), on)
  }
  // A stroke ends wherever the button is let go.
  useEffect(() => {
    const end = () => finish.current()
    window.addEventListener('pointerup', end)
    window.addEventListener('pointercancel', end)
    return () => {
      window.removeEventListener('pointerup', end)
      window.removeEventListener('pointercancel', end)
    }
  }, [])

  const onPointerDown = (event: PointerEvent) => {
    const place = placeOf(event.target)
    if (disabled || place === undefined || event.button !== 0) return
    // Touch would keep the pointer on the first cell.
    if (event.target instanceof Element && event.target.hasPointerCapture?.(event.pointerId))
      event.target.releasePointerCapture(event.pointerId)
    setAt(place)
    stroke.current = { before: latest.current, from: place, on: shareAt(latest.current, place) !== 'all' }
    extend(place)
  }
  const onPointerOver = (event: PointerEvent) => {
    const place = placeOf(event.target)
    if (place !== undefined) extend(place)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = placeAfter(event, at)
    const presses = event.key === ' ' || event.key === 'Enter'
    if (next === undefined && !presses) return
    event.preventDefault()
    if (next === undefined) {
      if (!disabled) toggle(at)
      return
    }
    // Painting goes on with what the cell it starts from is.
    if (event.shiftKey && !disabled) {
      const on = shareAt(latest.current, at) === 'all'
      const before = countOf(latest.current)
      apply(paint(latest.current, cellsBetween(at, next), on))
      onPainted(Math.abs(countOf(latest.current) - before), on)
    }
    setAt(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-row="${next.row}"][data-hour="${next.hour}"]`)?.focus()
  }
  return { at, handlers: { onPointerDown, onPointerOver, onKeyDown } }
}
