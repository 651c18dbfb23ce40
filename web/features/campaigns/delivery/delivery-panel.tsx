import { STATUS_KEY } from '#domain/campaign/status/status-keys'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { Button } from '@/components/ui/button'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '@/components/ui/collapsible'
import { campaignQueries } from '@/data/campaign-queries'
import { reasonTexts } from '@/data/campaign-reason'
import { formatMinute } from '@/i18n/format'
import { cn } from '@/lib/utils'
import { authorOf } from './author.ts'
import { DeliveredToday } from './delivered-today.tsx'
import { RemedyAction } from './remedy-action.tsx'
import { StatusTimeline } from './status-timeline.tsx'
import '@/i18n/texts/delivery'

/** Reasons with which a running campaign is not served. */
const HINDERING: readonly string[] = ['outside_schedule', 'excluded_audience_small']

const delivers = ({ status_key, status_reasons }: Campaign): boolean =>
  status_key === STATUS_KEY.running && !status_reasons.some(({ key }) => HINDERING.includes(key))

/** Why a campaign delivers or does not: the present reasons, each with its time, author and remedy, and the past ones. */
export function DeliveryPanel({ campaign: loaded }: { readonly campaign: Campaign }) {
  const { t } = useTranslation('delivery')
  const [open, setOpen] = useState(false)
  // The page got the campaign from its route: here it changes with the campaign.
  const campaign = useQuery(campaignQueries.detail(loaded.id)).data ?? loaded
  const reasons = new Map(campaign.status_reasons.map((reason) => [reason.key, reason]))
  return (
    <Collapsible open={open} onOpenChange={setOpen}>
      <section
        aria-label={t('label')}
        className="border-border bg-card flex flex-col gap-3 rounded-lg border px-5 py-4 text-[0.8125rem]/5"
      >
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="grow font-semibold">{t(delivers(campaign) ? 'delivers' : 'why')}</h2>
          <CollapsibleTrigger asChild>
            <Button variant="ghost" size="sm">
              {t('history')}
              <ChevronDown aria-hidden className={cn('transition-transform', open && 'rotate-180')} />
            </Button>
          </CollapsibleTrigger>
        </div>
        <ul className="flex flex-col gap-2">
          {reasonTexts(campaign.status_reasons).map(({ key, since, text, remedy, action }) => {
            const reason = reasons.get(key)
            return (
              <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-1">
                <div className="min-w-0 grow">
                  <p>
                    {text}
                    {remedy !== null && <span className="text-muted-foreground">{`. ${remedy}.`}</span>}
                  </p>
                  {since !== '' && (
                    <p className="text-muted-foreground text-xs tabular-nums">
                      {t('since', { date: formatMinute(since), author: authorOf(reason?.actor ?? '') })}
                    </p>
                  )}
                </div>
                <RemedyAction campaign={campaign} remedy={action} />
              </li>
            )
          })}
        </ul>
        {delivers(campaign) && <DeliveredToday id={campaign.id} />}
        <CollapsibleContent className="border-border border-t pt-4">
          <StatusTimeline campaign={campaign} />
        </CollapsibleContent>
      </section>
    </Collapsible>
  )
}
