import { Check } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PRESETS, presetRange, type DateRange, type Preset } from '@/lib/date-range'
import type { Popup } from '@/lib/use-popup'
import { PopoverPanel } from '@/components/popover-panel'

const RangeCalendar = lazy(async () => ({ default: (await import('./range-calendar.tsx')).RangeCalendar }))

/** Delay before closing, so that the choice is visible (campaigns.md §2). */
const CLOSE_AFTER_MS = 1300

type DateRangePanelProps = {
  readonly value: DateRange
  /** The preset that the value matches today; null for a custom range. */
  readonly preset: Preset | null
  readonly today: Date
  readonly onChange: (range: DateRange) => void
  readonly align: 'start' | 'end'
  readonly popup: Popup
}

export function DateRangePanel(props: DateRangePanelProps) {
  const { t } = useTranslation()
  return (
    <PopoverPanel popup={props.popup} align={props.align} aria-label={t('range.label')} className="flex gap-2">
      <Choices {...props} />
    </PopoverPanel>
  )
}

/** Mounted only while the panel is open, so it always starts from the current value. */
function Choices({ value, preset, today, onChange, popup: { onOpenChange } }: DateRangePanelProps) {
  const { t } = useTranslation()
  const [custom, setCustom] = useState(preset === null)
  const [picked, setPicked] = useState(false)

  useEffect(() => {
    if (!picked) return undefined
    const timer = setTimeout(() => onOpenChange(false), CLOSE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [picked, onOpenChange])

  return (
    <>
      <div className="flex w-40 flex-col gap-0.5">
        {PRESETS.map((choice) => (
          <Choice
            key={choice}
            label={t(`range.${choice}`)}
            chosen={!custom && choice === preset}
            onChoose={() => {
              onChange(presetRange(choice, today))
              onOpenChange(false)
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
    </>
  )
}

function Choice({ label, chosen, onChoose }: { label: string; chosen: boolean; onChoose: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className="rounded-md text-[0.8125rem]/4.5 hover:bg-accent aria-pressed:text-primary-ink flex h-8 items-center justify-between px-2.5 text-left aria-pressed:font-medium"
    >
      {label}
      {chosen && <Check aria-hidden className="size-4" />}
    </button>
  )
}
