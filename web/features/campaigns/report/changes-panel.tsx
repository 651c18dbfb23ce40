import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReportChanges } from '#contract/account-reports'
import { PopoverPanel } from '@/components/popover-panel'
import type { Popup } from '@/lib/use-popup'
import type { Step } from './report-parts.ts'
import { dayOf, pointName } from './report-points.ts'

type ChangesPanelProps = {
  readonly popup: Popup
  readonly changes: readonly ReportChanges['points'][number][]
  readonly step: Step
}

/** Changes at a mark of the chart: campaigns, each with a link to its change log of that day. */
export function ChangesPanel({ popup, changes, step }: ChangesPanelProps) {
  const { t } = useTranslation('reports')
  const id = useId()
  return (
    <PopoverPanel popup={popup} side="top" aria-label={t('changes.title')} className="max-h-80 w-72 overflow-y-auto p-3">
      <div className="flex flex-col gap-3">
        {changes.map(({ name: at, count, total_size: total, campaigns }) => (
          <section key={at} aria-labelledby={`${id}${at}`} className="flex flex-col gap-1">
            <h3 id={`${id}${at}`} className="text-muted-foreground text-xs">
              {t('changes.day', { count, period: pointName(at, step) })}
            </h3>
            <ul className="flex flex-col">
              {campaigns.map((campaign) => (
                <li key={campaign.id} className="flex items-baseline gap-2 text-[0.8125rem]/4.5">
                  <Link
                    to="/campaign/edit/$id"
                    params={{ id: campaign.id }}
                    search={{ tab: 'changeLog', log_source: 'people', log_day: dayOf(at) }}
                    className="min-w-0 grow rounded-[3px] py-1 font-medium [overflow-wrap:anywhere] hover:underline"
                  >
                    {campaign.name}
                  </Link>
                  <span className="text-muted-foreground tabular-nums">{t('changes.count', { count: campaign.count })}</span>
                </li>
              ))}
            </ul>
            {total > campaigns.length && (
              <p className="text-muted-foreground text-xs">{t('changes.more', { count: total - campaigns.length })}</p>
            )}
          </section>
        ))}
      </div>
    </PopoverPanel>
  )
}
