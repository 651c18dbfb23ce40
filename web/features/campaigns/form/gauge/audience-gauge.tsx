/* eslint-disable jsx-a11y/prefer-tag-over-role -- the platform's meter cannot carry stretches of its own */
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../../../i18n/use-language.ts'
import { cn } from '../../../../lib/cn.ts'
import { useFormBase } from '../campaign-form-context.ts'
import { abbreviated } from './abbreviated.ts'
import { bandOf, colourOf, positionOf, STRETCHES, type Colour } from './bands.ts'
import { useAudienceSize } from './use-audience-size.ts'

const FILL: Readonly<Record<Colour, string>> = {
  none: 'bg-hairline',
  red: 'bg-bad-dot',
  yellow: 'bg-warn-dot',
  green: 'bg-good-dot',
}

/** How many people the targeting reaches, between too few and too many. Audio campaigns count spots instead (campaign.md §4). */
export function AudienceGauge() {
  const { tabs } = useFormBase()
  return tabs.audio ? null : <Gauge />
}

function Gauge() {
  const { t } = useTranslation('targeting')
  const language = useLanguage()
  const { known, estimate, failed, updating } = useAudienceSize()
  const shown = known && !failed && estimate?.status === 'ok' ? estimate.total : null
  const band = bandOf(shown ?? 0)
  const figure = shown === null ? '' : t('gauge.people', { shown: abbreviated(shown, language) })
  const words = shown === null ? '' : t(`gauge.band.${band}`)
  const problem = !known ? t('gauge.needCountry') : failed ? t('gauge.failed') : t('gauge.noData')
  return (
    <section aria-label={t('gauge.title')} className="border-hairline bg-surface rounded-card border px-6 py-4">
      <div className="flex items-baseline gap-3">
        <h2 className="text-table font-medium">{t('gauge.title')}</h2>
        <span className="text-ink-soft text-meta">{updating && known ? t('gauge.updating') : ''}</span>
        {shown !== null && (
          <p className="ml-auto">
            <span className="font-semibold tabular-nums">{figure}</span>
            <span className="text-ink-soft"> · {words}</span>
          </p>
        )}
      </div>
      {shown === null && (!updating || !known) && <p className="text-ink-soft text-table mt-1">{problem}</p>}
      <div
        role="meter"
        aria-label={t('gauge.title')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(positionOf(shown ?? 0) * 100)}
        aria-valuetext={shown === null ? problem : `${figure}, ${words}`}
        data-band={colourOf(band)}
        className="relative mt-3 grid grid-cols-5 gap-0.5"
      >
        {STRETCHES.map((stretch) => (
          <span
            key={stretch.band}
            className={cn('h-2 first:rounded-l-full last:rounded-r-full', FILL[stretch.band === band ? colourOf(band) : 'none'])}
          />
        ))}
        {shown !== null && shown > 0 && (
          <span
            aria-hidden
            className="bg-ink ring-surface absolute -top-1 h-4 w-1 -translate-x-1/2 rounded-full ring-2 transition-[left]"
            style={{ left: `${positionOf(shown) * 100}%` }}
          />
        )}
      </div>
      <div className="text-ink-soft text-meta mt-1.5 flex justify-between">
        <span>{t('gauge.specific')}</span>
        <span>{t('gauge.tooBroad')}</span>
      </div>
    </section>
  )
}
