import { useTranslation } from 'react-i18next'
import { localeOf, type Language } from '#domain/kit/languages'
import { useLanguage } from '@/i18n/use-language'
import { cn } from '@/lib/utils'
import { useFormBase } from '../campaign-form-context.ts'
import { AudioSpots } from './audio-spots.tsx'
import { bandOf, colourOf, positionOf, STRETCHES, type Colour } from './bands.ts'
import { EstimateCard } from './estimate-card.tsx'
import { useAudienceSize } from './use-audience-size.ts'

const FILL: Readonly<Record<Colour, string>> = {
  none: 'bg-border',
  red: 'bg-destructive-dot',
  yellow: 'bg-warning-dot',
  green: 'bg-success-dot',
}

/**
 * Shows the estimated reach of the targeting, between too few and too many people. Audio campaigns show spots instead
 * (campaigns.md §4).
 */
export function AudienceGauge() {
  const { tabs } = useFormBase()
  return tabs.audio ? <AudioSpots /> : <Gauge />
}

function Gauge() {
  const { t } = useTranslation('targeting')
  const language = useLanguage()
  const { known, estimate, failed, updating } = useAudienceSize()
  const shown = known && !failed && estimate?.status === 'ok' ? estimate.total : null
  const figure = shown === null ? null : t('gauge.people', { shown: abbreviated(shown, language) })
  const problem = !known ? t('gauge.needCountry') : failed ? t('gauge.failed') : t(updating ? 'gauge.updating' : 'gauge.noData')
  const words = shown === null ? problem : t(`gauge.band.${bandOf(shown)}`)
  return (
    <EstimateCard title={t('gauge.title')} figure={figure} words={words} updating={known && updating}>
      <Scale people={shown ?? 0} text={figure === null ? words : `${figure}, ${words}`} />
      <div aria-hidden className="text-muted-foreground text-xs mt-1.5 flex justify-between">
        <span>{t('gauge.specific')}</span>
        <span>{t('gauge.tooBroad')}</span>
      </div>
    </EstimateCard>
  )
}

/** A native meter with the position of the estimate, and visible stretches. */
function Scale({ people, text }: { readonly people: number; readonly text: string }) {
  const { t } = useTranslation('targeting')
  const band = bandOf(people)
  const along = positionOf(people) * 100
  return (
    <div className="relative mt-2" data-band={colourOf(band)}>
      <meter
        className="sr-only"
        aria-label={t('gauge.title')}
        aria-valuetext={text}
        min={0}
        max={100}
        value={Math.round(along)}
      />
      <div aria-hidden className="grid grid-cols-5 gap-0.5">
        {STRETCHES.map((stretch) => (
          <span
            key={stretch.band}
            className={cn('h-2 first:rounded-l-full last:rounded-r-full', FILL[stretch.band === band ? colourOf(band) : 'none'])}
          />
        ))}
      </div>
      {people > 0 && (
        <span
          aria-hidden
          className="bg-foreground ring-card absolute -top-1 h-4 w-1 -translate-x-1/2 rounded-full ring-2 transition-[left]"
          style={{ left: `${along}%` }}
        />
      )}
    </div>
  )
}

/** Formats a number of people for a gauge. Values below a thousand are shown as "<1,000". */
function abbreviated(people: number, language: Language): string {
  const locale = localeOf(language)
  if (people < 1000) return `<${new Intl.NumberFormat(locale).format(1000).replaceAll(' ', ' ')}`
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(people)
}
