import { useEffect, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { ALL_DAYS, ALL_HOURS, cellsBetween, countOf, paint, ROWS, shareAt, type Place, type Schedule } from './schedule.ts'

type Stroke = { readonly before: Schedule; readonly from: Place; readonly on: boolean }

const LAST_HOUR = 23
const LAST_ROW = ROWS.length - 1
const within = (place: Place): Place => ({
  row: Math.max(ALL_DAYS, Math.min(LAST_ROW, place.row)),
  hour: Math.max(ALL_HOURS, Math.min(LAST_HOUR, place.hour)),
})

/** Returns the position after a key press; undefined for keys that do not move. */
function placeAfter(event: KeyboardEvent, { row, hour }: Place): Place | undefined {
  const whole = event.ctrlKey || event.metaKey
  const places: Readonly<Record<string, Place>> = {
    ArrowLeft: { row, hour: hour - 1 },
    ArrowRight: { row, hour: hour + 1 },
    ArrowUp: { row: row - 1, hour },
    ArrowDown: { row: row + 1, hour },
    Home: { row: whole ? ALL_DAYS : row, hour: ALL_HOURS },
    End: { row: whole ? LAST_ROW : row, hour: LAST_HOUR },
  }
  const place = places[event.key]
  return place === undefined ? undefined : within(place)
}

/** Shift with arrows paints between cells, or along a header. Between the two it only moves. */
const sameKind = (one: Place, other: Place) =>
  (one.row === ALL_DAYS) === (other.row === ALL_DAYS) && (one.hour === ALL_HOURS) === (other.hour === ALL_HOURS)

function placeOf(target: EventTarget): Place | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  return cell ? { row: Number(cell.dataset['row']), hour: Number(cell.dataset['hour']) } : undefined
}

type GridInput = {
  readonly schedule: Schedule
  readonly disabled: boolean
  readonly onChange: (schedule: Schedule) => void
  /** Reports how many hours were switched on or off. */
  readonly onPainted: (hours: number, on: boolean) => void
}

/**
 * Pointer, touch and keyboard handling of the schedule grid, and the roles of its parts. The first position of a stroke decides
 * whether it switches on or off. One position is a Tab stop.
 */
export function useScheduleGrid({ schedule, disabled, onChange, onPainted }: GridInput) {
  const [at, setAt] = useState<Place>({ row: 1, hour: 0 })
  const [stroke, setStroke] = useState<Stroke | null>(null)

  const said = (before: Schedule, after: Schedule, on: boolean) => onPainted(Math.abs(countOf(after) - countOf(before)), on)
  const paintAll = (from: Place, to: Place, on: boolean) => {
    const next = paint(schedule, cellsBetween(from, to), on)
    onChange(next)
    said(schedule, next, on)
  }
  // A stroke ends wherever the button is released.
  useEffect(() => {
    if (stroke === null) return undefined
    const end = () => {
      setStroke(null)
      said(stroke.before, schedule, stroke.on)
    }
    window.addEventListener('pointerup', end)
    window.addEventListener('pointercancel', end)
    return () => {
      window.removeEventListener('pointerup', end)
      window.removeEventListener('pointercancel', end)
    }
  })

  const onPointerDown = (event: PointerEvent) => {
    const place = placeOf(event.target)
    if (disabled || place === undefined || event.button !== 0) return
    // Touch would capture the pointer on the first cell.
    if (event.target instanceof Element && event.target.hasPointerCapture(event.pointerId))
      event.target.releasePointerCapture(event.pointerId)
    const on = shareAt(schedule, place) !== 'all'
    setAt(place)
    setStroke({ before: schedule, from: place, on })
    onChange(paint(schedule, cellsBetween(place, place), on))
  }
  const onPointerOver = (event: PointerEvent) => {
    const place = placeOf(event.target)
    if (place !== undefined && stroke !== null) onChange(paint(stroke.before, cellsBetween(stroke.from, place), stroke.on))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = placeAfter(event, at)
    if (next === undefined && event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    const share = shareAt(schedule, at)
    if (next === undefined) {
      if (!disabled) paintAll(at, at, share !== 'all')
      return
    }
    // Painting continues with the state of its first position.
    if (event.shiftKey && !disabled && sameKind(at, next)) paintAll(at, next, share !== 'none')
    setAt(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-row="${next.row}"][data-hour="${next.hour}"]`)?.focus()
  }
  return {
    gridProps: {
      role: 'grid',
      'aria-multiselectable': true,
      'aria-readonly': disabled,
      onPointerDown,
      onPointerOver,
      onKeyDown,
    },
    placeProps: ({ row, hour }: Place) => ({
      // Header cells already have a role.
      ...(row === ALL_DAYS || hour === ALL_HOURS ? {} : { role: 'gridcell' }),
      'data-row': row,
      'data-hour': hour,
      tabIndex: at.row === row && at.hour === hour ? 0 : -1,
      'aria-selected': shareAt(schedule, { row, hour }) === 'all',
    }),
  } as const
}
