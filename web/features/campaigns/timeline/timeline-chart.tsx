import { scaleLinear, scaleTime } from 'd3-scale'
import { format } from 'date-fns'
import { useId, type KeyboardEvent, type PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { RevisionLine } from '#contract/audit'
import type { StatusChangeRow } from '#contract/status-history'
import { chartColour } from '@/components/charts/series'
import { useWidth } from '@/components/charts/use-width'
import { statusName, statusTone } from '@/data/campaign-status'
import { formatMinute, formatMoney, formatShortDay, type Currency } from '@/i18n/format'
import { authorName } from '../change-log/log-labels.ts'
import {
  bandsOf,
  cursorAt,
  DAY,
  marksOf,
  movedByKey,
  plannedMarks,
  statusAt,
  type Band,
  type Cursor,
  type Mark,
  type MarkKind,
  type Planned,
  type PlannedMark,
  type Window,
} from './timeline-model.ts'

/** Spend of a day; `at` is its start. */
export type SpentDay = { readonly at: number; readonly spent: number }

type TimelineChartProps = {
  readonly index: readonly RevisionLine[]
  readonly history: readonly StatusChangeRow[]
  readonly spent: readonly SpentDay[]
  readonly currency: Currency
  /** Scheduled changes; they lie after now. */
  readonly planned: readonly Planned[]
  readonly window: Window
  readonly now: number
  readonly cursor: Cursor
  readonly onMove: (cursor: Cursor) => void
}

const INSET = 8
const STATUS = { top: 20, height: 24 }
const SPENT = { top: 70, height: 64 }
const MARKS = { top: 164, height: 20 }
const AXIS = MARKS.top + MARKS.height + 18
const HEIGHT = AXIS + 8
/** Least distance of two marks, and how near to one a press counts as on it, in pixels. */
const NEAR = 9
/** Least width of a label of the axis, and of a status, in pixels. */
const TICK_WIDTH = 92
/** Ticks of shorter periods have seconds, milliseconds. */
const MINUTES = 600_000
const LETTER = 7
/** The part of scheduled changes: at most this width in pixels, and this share of the chart. */
const AHEAD = { width: 200, share: 0.25 }

/** The chart element itself has the slider role: an input cannot contain it. */
const SLIDER = { role: 'slider', tabIndex: 0 } as const

/**
 * Statuses, spend and changes of a campaign over time, with a cursor. Keys and the pointer move it; screen readers get the moment
 * as the value of a slider.
 */
export function TimelineChart({ index, history, spent, currency, planned, window, now, cursor, onMove }: TimelineChartProps) {
  const { t } = useTranslation(['timeline', 'status'])
  const { box, width } = useWidth<HTMLDivElement>()
  const help = useId()
  const right = Math.max(INSET + 1, width - INSET)
  // The future has its own part: its days are fewer or more than those before.
  const last = window.end < now ? now : Math.max(now, ...planned.map(({ time }) => time))
  const end = last > now ? right - Math.min(AHEAD.width, (right - INSET) * AHEAD.share) : right
  const x = scaleTime([window.start, window.end], [INSET, end])
  const ahead = scaleTime([now, Math.max(last, now + 1)], [end, right - NEAR])
  const least = (NEAR * (window.end - window.start)) / Math.max(1, end - INSET)
  const coming = last > now ? plannedMarks(planned, now, (NEAR * (last - now)) / Math.max(1, right - NEAR - end)) : []
  const marks = marksOf(index, history, window, least)
  const status = statusAt(history, cursor)
  const author = index.find(({ revision }) => revision === cursor.revision)
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const at = clientX - currentTarget.getBoundingClientRect().left
    const near = marks
      .filter(({ time }) => Math.abs(x(time) - at) <= NEAR)
      .toSorted((a, b) => Math.abs(x(a.time) - at) - Math.abs(x(b.time) - at))[0]
    if (near !== undefined) onMove({ time: timeOfMark(index, near), revision: near.revision })
    else onMove(cursorAt(index, Math.min(now, Math.max(window.start, x.invert(at).getTime()))))
  }
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const moved = movedByKey(event.key, index, cursor, now)
    if (moved !== null) onMove(moved)
    if (moved !== null || event.key.startsWith('Arrow')) event.preventDefault()
  }
  const handlers = {
    onKeyDown: press,
    onPointerDown: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      point(event)
    },
    onPointerMove: (event: PointerEvent) => {
      if (event.buttons === 1) point(event)
    },
  }
  return (
    <div className="flex flex-col gap-2">
      <div
        {...SLIDER}
        ref={box}
        aria-label={t('timeline:chart')}
        aria-describedby={help}
        aria-valuemin={index.length === 0 ? window.start : Math.min(window.start, cursor.time)}
        aria-valuemax={now}
        aria-valuenow={cursor.time}
        aria-valuetext={t('timeline:valueText', {
          date: formatMinute(new Date(cursor.time)),
          status: status === undefined ? '' : t(`status:label.${statusName(status.status_key)}`),
          revision: cursor.revision,
          author: author === undefined ? '' : authorName(author),
        })}
        {...handlers}
        className="touch-pan-y rounded-md select-none"
      >
        <svg aria-hidden width="100%" height={HEIGHT} className="block cursor-pointer overflow-visible text-xs tabular-nums">
          <Lane y={STATUS.top} name={t('timeline:lane.status')} />
          {bandsOf(history, window).map((band) => (
            <StatusBand key={band.change.revision} band={band} left={x(band.start)} right={x(band.end)} />
          ))}
          <SpentBars spent={spent} currency={currency} window={window} x={x} />
          <Lane y={MARKS.top} name={t('timeline:lane.changes')} />
          <line x1={INSET} x2={width - INSET} y1={MARKS.top + 10} y2={MARKS.top + 10} className="stroke-border" />
          {marks.map((mark) => (
            <MarkShape key={mark.revision} kind={mark.kind} many={mark.count > 1} x={x(mark.time)} y={MARKS.top + 10} />
          ))}
          {coming.length > 0 && <Ahead marks={coming} x={ahead} left={end} right={right} />}
          <Ticks x={x} width={end} window={window} />
          {cursor.time >= window.start && cursor.time <= window.end && (
            <g transform={`translate(${x(cursor.time)} 0)`} data-slot="cursor">
              <line y1={12} y2={MARKS.top + MARKS.height} className="stroke-primary-strong" strokeWidth={2} />
              <path d="M-6 2h12v6l-6 6l-6 -6z" className="fill-primary-strong" />
            </g>
          )}
        </svg>
      </div>
      <div className="text-muted-foreground flex flex-wrap items-center gap-x-5 gap-y-1 px-2 text-xs">
        {(['person', 'decision', 'system'] as const).map((kind) => (
          <span key={kind} className="flex items-center gap-1.5">
            <svg aria-hidden width={12} height={12}>
              <MarkShape kind={kind} many={false} x={6} y={6} />
            </svg>
            {t(`timeline:legend.${kind}`)}
          </span>
        ))}
        {coming.length > 0 && (
          <span className="flex items-center gap-1.5">
            <svg aria-hidden width={12} height={12}>
              <PlannedShape many={false} x={6} y={6} />
            </svg>
            {t('timeline:legend.planned')}
          </span>
        )}
        <span aria-hidden className="ml-auto max-lg:hidden">
          {t('timeline:chartKeys')}
        </span>
        <span id={help} className="sr-only">
          {t('timeline:chartHelp')}
        </span>
      </div>
    </div>
  )
}

/** The exact instant of the revision that a mark stands for. */
const timeOfMark = (index: readonly RevisionLine[], { revision, time }: Mark): number => {
  const line = index.find((one) => one.revision === revision)
  return line === undefined ? time : Date.parse(line.commit_date)
}

const Lane = ({ y, name }: { readonly y: number; readonly name: string }) => (
  <text x={INSET} y={y - 6} className="fill-muted-foreground">
    {name}
  </text>
)

const TONES = {
  good: ['fill-success-tint', 'fill-success-dot'],
  warn: ['fill-warning-tint', 'fill-warning-dot'],
  bad: ['fill-destructive-tint', 'fill-destructive-dot'],
  idle: ['fill-muted', 'fill-idle-dot'],
} as const
const INKS = { good: 'fill-success', warn: 'fill-warning', bad: 'fill-destructive', idle: 'fill-muted-foreground' } as const

function StatusBand({ band, left, right }: { readonly band: Band; readonly left: number; readonly right: number }) {
  const { t } = useTranslation('status')
  const name = t(`label.${statusName(band.change.status_key)}`)
  const tone = statusTone(band.change.status_key)
  const [tint, dot] = TONES[tone]
  const width = Math.max(1, right - left)
  return (
    <g>
      <rect x={left} y={STATUS.top} width={width} height={STATUS.height} className={tint} />
      <rect x={left} y={STATUS.top + STATUS.height - 3} width={width} height={3} className={dot} />
      {width > name.length * LETTER + 12 && (
        <text x={left + 6} y={STATUS.top + 15} className={INKS[tone]}>
          {name}
        </text>
      )}
    </g>
  )
}

type SpentBarsProps = {
  readonly spent: readonly SpentDay[]
  readonly currency: Currency
  readonly window: Window
  readonly x: (time: number) => number
}

function SpentBars({ spent, currency, window, x }: SpentBarsProps) {
  const { t } = useTranslation('timeline')
  const shown = spent.filter((day) => day.spent > 0 && day.at + DAY > window.start && day.at < window.end)
  const most = Math.max(0, ...shown.map((day) => day.spent))
  const height = scaleLinear([0, most || 1], [0, SPENT.height])
  const note = most === 0 ? t('lane.nothing') : t('lane.most', { amount: formatMoney(most, currency) })
  return (
    <g>
      <Lane y={SPENT.top} name={`${t('lane.spent')}, ${note}`} />
      <line
        x1={x(window.start)}
        x2={x(window.end)}
        y1={SPENT.top + SPENT.height + 0.5}
        y2={SPENT.top + SPENT.height + 0.5}
        className="stroke-border"
      />
      {shown.map((day) => {
        const left = x(Math.max(day.at, window.start))
        const right = x(Math.min(day.at + DAY, window.end))
        const tall = Math.max(1, height(day.spent))
        const gap = right - left > 6 ? 1 : 0
        return (
          <rect
            key={day.at}
            x={left + gap}
            y={SPENT.top + SPENT.height - tall}
            width={Math.max(1, right - left - 2 * gap)}
            height={tall}
            rx={gap}
            fill={chartColour(0)}
          />
        )
      })}
    </g>
  )
}

/** Kinds differ by shape as well as by colour. */
function MarkShape({
  kind,
  many,
  x,
  y,
}: {
  readonly kind: MarkKind
  readonly many: boolean
  readonly x: number
  readonly y: number
}) {
  if (kind === 'system') return <rect x={x - 1} y={y - 5} width={many ? 3 : 2} height={10} rx={1} className="fill-idle-dot" />
  const size = many ? 5.5 : 4.5
  return kind === 'decision' ? (
    <path
      d={`M${x} ${y - size - 1}L${x + size + 1} ${y}L${x} ${y + size + 1}L${x - size - 1} ${y}Z`}
      className="fill-warning-dot stroke-card"
      strokeWidth={1.5}
    />
  ) : (
    <circle cx={x} cy={y} r={size} className="fill-primary-strong stroke-card" strokeWidth={1.5} />
  )
}

type AheadProps = {
  readonly marks: readonly PlannedMark[]
  readonly x: ReturnType<typeof scaleTime<number, number>>
  readonly left: number
  readonly right: number
}

/** Scheduled changes, after now. The list above the chart says them in words. */
function Ahead({ marks, x, left, right }: AheadProps) {
  const { t } = useTranslation('timeline')
  const last = marks.at(-1)
  return (
    <g>
      <line
        x1={left}
        x2={left}
        y1={STATUS.top}
        y2={MARKS.top + MARKS.height}
        className="stroke-muted-foreground"
        strokeDasharray="3 3"
      />
      <text x={left + 6} y={MARKS.top - 6} className="fill-muted-foreground">
        {t('lane.planned')}
      </text>
      {marks.map(({ time, texts }) => (
        <g key={time} data-slot="planned">
          <title>{texts.join('\n')}</title>
          <PlannedShape many={texts.length > 1} x={x(time)} y={MARKS.top + 10} />
        </g>
      ))}
      {last !== undefined && (
        <text x={right} y={AXIS} textAnchor="end" className="fill-muted-foreground">
          {formatShortDay(new Date(last.time))}
        </text>
      )}
    </g>
  )
}

/** Hollow: it has not happened. */
const PlannedShape = ({ many, x, y }: { readonly many: boolean; readonly x: number; readonly y: number }) => (
  <circle cx={x} cy={y} r={many ? 5 : 4} className="fill-card stroke-primary-strong" strokeWidth={2} />
)

type TicksProps = { readonly x: ReturnType<typeof scaleTime<number, number>>; readonly width: number; readonly window: Window }

function Ticks({ x, width, window }: TicksProps) {
  const length = window.end - window.start
  const label = length > 2 * DAY ? formatShortDay : (tick: Date) => format(tick, length > MINUTES ? 'HH:mm' : 'HH:mm:ss')
  const ticks = x.ticks(Math.max(2, Math.floor(width / TICK_WIDTH)))
  return ticks.map((tick) => {
    const at = x(tick)
    if (at < 24 || at > width - 24) return null
    return (
      <g key={tick.getTime()} transform={`translate(${at} 0)`}>
        <line y1={STATUS.top + STATUS.height} y2={MARKS.top + MARKS.height} className="stroke-border" strokeDasharray="2 4" />
        <text y={AXIS} textAnchor="middle" className="fill-muted-foreground">
          {label(tick)}
        </text>
      </g>
    )
  })
}
