import { format } from 'date-fns'
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RevisionLine } from '#contract/audit'
import { HoverTip } from '@/components/hover-tip'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { cursorAt, DAY, earlier, later, timeOf, type Cursor } from './timeline-model.ts'

type CursorControlsProps = {
  readonly index: readonly RevisionLine[]
  readonly now: number
  readonly cursor: Cursor
  readonly onMove: (cursor: Cursor) => void
}

/** The form of `datetime-local`, in the user's time zone. */
const LOCAL = "yyyy-MM-dd'T'HH:mm:ss"
/** The field has seconds, revisions have milliseconds: a typed second is over. */
const END_OF_SECOND = 999

/** Moves the cursor to the change before or after, by a day, to a typed moment, or to now. */
export function CursorControls({ index, now, cursor, onMove }: CursorControlsProps) {
  const { t } = useTranslation('timeline')
  const [typed, setTyped] = useState<string | null>(null)
  const id = useId()
  const first = index.at(-1)
  const begun = first === undefined ? now : timeOf(first)
  const before = earlier(index, cursor)
  const after = later(index, cursor)
  const type = (text: string) => {
    setTyped(text)
    const time = Date.parse(text) + END_OF_SECOND
    // A year that is still being typed.
    if (Number.isNaN(time) || time < begun - DAY || time > now + DAY) return
    onMove(cursorAt(index, Math.min(now, time)))
  }
  return (
    <div role="group" aria-label={t('move.label')} className="flex flex-wrap items-center gap-1">
      <Move
        label={t('move.dayEarlier')}
        Icon={ChevronsLeft}
        to={cursor.time <= begun ? null : cursorAt(index, cursor.time - DAY)}
        onMove={onMove}
      />
      <Move label={t('move.earlier')} Icon={ChevronLeft} to={before} onMove={onMove} />
      <label htmlFor={id} className="sr-only">
        {t('move.time')}
      </label>
      <Input
        id={id}
        type="datetime-local"
        step={1}
        min={format(begun, LOCAL)}
        max={format(now, LOCAL)}
        value={typed ?? format(cursor.time, LOCAL)}
        onChange={({ target }) => type(target.value)}
        onBlur={() => setTyped(null)}
        className="w-58 tabular-nums"
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
    </div>
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
