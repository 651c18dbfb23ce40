import { CalendarDays, Check } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './ui/button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from './ui/popover.tsx'
import { fromDay, needsYear, PRESETS, presetOf, presetRange, type DateRange } from '../domain/date-range.ts'
import { formatDay, formatShortDay } from '../i18n/format.ts'
import { useNow } from '../lib/use-now.ts'
import { cn } from '../lib/cn.ts'

const RangeCalendar = lazy(async () => ({ default: (await import('./range-calendar.tsx')).RangeCalendar }))

/** Long enough to see what was picked (campaign.md §2). */
const CLOSE_AFTER_MS = 1300

type DateRangePickerProps = { readonly value: DateRange; readonly onChange: (range: DateRange) => void }

export function DateRangePicker({ value, onChange }: DateRangePickerProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const [custom, setCustom] = useState(false)
  const [picked, setPicked] = useState(false)
  const today = useNow()
  const preset = presetOf(value, today)

  useEffect(() => {
    if (!picked) return undefined
    const timer = setTimeout(() => {
      setPicked(false)
      setOpen(false)
    }, CLOSE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [picked])

  const day = needsYear(value) ? formatDay : formatShortDay
  const dates = `${day(fromDay(value.start))} – ${day(fromDay(value.end))}`
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        setCustom(next && preset === null)
      }}
    >
      <PopoverTrigger asChild>
        <Button variant="secondary" aria-label={`${t('range.label')}: ${preset ? t(`range.${preset}`) : ''} ${dates}`}>
          <CalendarDays aria-hidden className="text-ink-soft" />
          {preset !== null && <span>{t(`range.${preset}`)}</span>}
          <span className={cn('tabular-nums', preset !== null && 'text-ink-soft font-normal')}>{dates}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label={t('range.label')} className="flex gap-2">
        <div className="flex w-40 flex-col gap-0.5">
          {PRESETS.map((choice) => (
            <Choice
              key={choice}
              label={t(`range.${choice}`)}
              chosen={!custom && choice === preset}
              onChoose={() => {
                onChange(presetRange(choice, today))
                setOpen(false)
              }}
            />
          ))}
          <Choice label={t('range.custom')} chosen={custom || preset === null} onChoose={() => setCustom(true)} />
        </div>
        {custom && (
          <Suspense fallback={<div className="h-72 w-72" />}>
            <RangeCalendar
              value={value}
              onPick={(range) => {
                onChange(range)
                setPicked(true)
              }}
            />
          </Suspense>
        )}
      </PopoverContent>
    </Popover>
  )
}

function Choice({ label, chosen, onChoose }: { label: string; chosen: boolean; onChoose: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className="rounded-control text-table hover:bg-sunken dark:hover:bg-hairline aria-pressed:text-accent-ink flex h-8 items-center justify-between px-2.5 text-left aria-pressed:font-medium"
    >
      {label}
      {chosen && <Check aria-hidden className="size-4" />}
    </button>
  )
}
