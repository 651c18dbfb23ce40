import { format } from 'date-fns'
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RevisionLine } from '#contract/audit'
import { DateInput } from '@/components/date/date-input'
import { HoverTip } from '@/components/hover-tip'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { fromDay, isDay } from '@/lib/date-range'
import { cursorAt, DAY, earlier, later, timeOf, type Cursor } from './timeline-model.ts'

type CursorControlsProps = {
  readonly index: readonly RevisionLine[]
  readonly now: number
  readonly cursor: Cursor
  readonly onMove: (cursor: Cursor) => void
}

const DAY_FORM = 'yyyy-MM-dd'
const TIME_FORM = 'HH:mm:ss'
/** The field has seconds, revisions have milliseconds: a typed second, or minute, is over. */
const TIME = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/

/** The end of a typed second or minute on a day, in the user's time zone; null for what is no time. */
function momentOf(day: string, time: string): number | null {
  const [, hour, minute, second] = TIME.exec(time.trim()) ?? []
  if (hour === undefined || minute === undefined || !isDay(day)) return null
  return fromDay(day).setHours(Number(hour), Number(minute), Number(second ?? '59'), 999)
}

/** Moves the cursor to the change before or after, by a day, to a typed moment, or to now. */
export function CursorControls({ index, now, cursor, onMove }: CursorControlsProps) {
  const { t } = useTranslation('timeline')
  const [typed, setTyped] = useState<string | null>(null)
  const first = index.at(-1)
  const begun = first === undefined ? now : timeOf(first)
  const before = earlier(index, cursor)
  const after = later(index, cursor)
  const day = format(cursor.time, DAY_FORM)
  const time = format(cursor.time, TIME_FORM)
  const go = (to: number | null) => {
    if (to !== null) onMove(cursorAt(index, Math.min(now, to)))
  }
  return (
    <fieldset aria-label={t('move.label')} className="flex min-w-0 flex-wrap items-center gap-1">
      <Move
        label={t('move.dayEarlier')}
        Icon={ChevronsLeft}
        to={cursor.time <= begun ? null : cursorAt(index, cursor.time - DAY)}
        onMove={onMove}
      />
      <Move label={t('move.earlier')} Icon={ChevronLeft} to={before} onMove={onMove} />
      <DateInput
        aria-label={t('move.day')}
        label={t('move.day')}
        nearest="last"
        min={format(begun, DAY_FORM)}
        value={day}
        onChange={(to) => isDay(to) && to !== day && go(momentOf(to, time))}
        className="w-40"
      />
      <Input
        aria-label={t('move.time')}
        placeholder={t('move.timeFormat')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={8}
        value={typed ?? time}
        aria-invalid={typed !== null && momentOf(day, typed) === null}
        onChange={({ target }) => {
          setTyped(target.value)
          go(momentOf(day, target.value))
        }}
        onBlur={() => setTyped(null)}
        className="w-24 tabular-nums"
      />
      <Move label={t('move.later')} Icon={ChevronRight} to={after} onMove={onMove} />
      <Move
        label={t('move.dayLater')}
        Icon={ChevronsRight}
        to={cursor.time >= now ? null : cursorAt(index, Math.min(now, cursor.time + DAY))}
        onMove={onMove}
      />
      <Button variant="outline" size="sm" className="ml-1" onClick={() => onMove(cursorAt(index, now))}>
        {t('move.now')}
      </Button>
    </fieldset>
  )
}

type MoveProps = {
  readonly label: string
  readonly Icon: typeof ChevronLeft
  readonly to: Cursor | null
  readonly onMove: (cursor: Cursor) => void
}

const Move = ({ label, Icon, to, onMove }: MoveProps) => (
  <HoverTip text={label}>
    <Button
      variant="ghost"
      size="icon"
      aria-label={label}
      // Not disabled, so that the focus stays on the button at the end of the log.
      aria-disabled={to === null}
      className="aria-disabled:opacity-40"
      onClick={() => to !== null && onMove(to)}
    >
      <Icon aria-hidden />
    </Button>
  </HoverTip>
)
