import { useTranslation } from 'react-i18next'
import type { ReviewFindings } from '#contract/review-findings'
import type { CannedReason } from '#contract/review-guidelines'
import { Badge } from '@/components/ui/badge'
import { useLanguage } from '@/i18n/use-language'
import { placeOf, visible } from './findings.ts'

type FindingsPanelProps = {
  readonly found: ReviewFindings
  /** The canned reasons of the white-label. */
  readonly reasons: readonly CannedReason[]
}

/** Findings of simple checks in a submission, and the decision that they suggest. */
export function FindingsPanel({ found: { findings, total, checking, reasons: suggested }, reasons }: FindingsPanelProps) {
  const { t } = useTranslation('moderation')
  const language = useLanguage()
  const titles = suggested.flatMap((place) => reasons[place]?.title[language] ?? [])
  return (
    <section aria-label={t('findings.title')} className="border-border rounded-lg border px-4 py-3">
      <h3 className="font-semibold">{t('findings.title')}</h3>
      {total === 0 ? (
        !checking && <p className="text-muted-foreground">{t('findings.none')}</p>
      ) : (
        <>
          <p>
            {titles.length === 0 ? t('findings.reject') : t('findings.rejectFor', { reasons: titles.join(', ') })}{' '}
            <span className="text-muted-foreground">{t('findings.yours')}</span>
          </p>
          <ul className="divide-border mt-2 flex flex-col divide-y">
            {findings.map(({ check, topic, path, value, fault }, i) => (
              // oxlint-disable-next-line react/no-array-index-key -- findings have no id, and are replaced as a whole
              <li key={i} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-1.5">
                <span className="font-medium">{t(`findings.check.${check}`)}</span>
                <Badge variant="secondary">{t(`findings.topic.${topic}`)}</Badge>
                <span className="text-muted-foreground text-xs">{t(`findings.place.${placeOf(path)}`)}</span>
                <bdi className="min-w-0 basis-full [overflow-wrap:anywhere]">{visible(value)}</bdi>
                {fault !== null && <span className="text-muted-foreground basis-full">{t(`findings.fault.${fault}`)}</span>}
              </li>
            ))}
          </ul>
          {total > findings.length && (
            <p className="text-muted-foreground text-xs">{t('findings.more', { count: total - findings.length })}</p>
          )}
        </>
      )}
      <output className="text-muted-foreground block empty:hidden">{checking ? t('findings.checking') : null}</output>
    </section>
  )
}
