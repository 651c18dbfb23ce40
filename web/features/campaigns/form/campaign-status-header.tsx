import { MessageSquareText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { localDay } from '#domain/campaign/content/dates'
import type { Campaign } from '#contract/campaign-body'
import { StatusText } from '@/components/status-text'
import { Alert, AlertDescription, AlertTitle } from '@/components/ui/alert'
import { reasonTexts, type Reason } from '@/data/campaign-reason'
import { useCan } from '@/session/can'
import { startOf } from '@/data/campaign-status'
import { formatMinute, formatPlainDay } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { OverDelivery } from '../report/over-delivery.tsx'
import { RemedyAction } from '../delivery/remedy-action.tsx'
import '@/i18n/texts/delivery'

/** Shows the campaign's status, its reasons and the remedies. */
export function CampaignStatusHeader({ campaign }: { readonly campaign: Campaign }) {
  const { t } = useTranslation(['status', 'form'])
  // Moderators do not see "wait for the moderator".
  const decides = useCan()('campaign.moderate', campaign)
  const now = useNow(60_000)
  const { status_key, status_reasons, campaign_start_at, moderator_comment } = campaign
  const start = startOf(status_key, campaign_start_at, now)
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline gap-x-6 gap-y-1">
        <p data-testid="campaign-status" className="flex items-baseline gap-2">
          <StatusText statusKey={status_key} className="text-sm" />
          {start !== null && (
            <span className="text-muted-foreground">
              {t(`status:${start.key}`, { date: formatPlainDay(localDay(start.at, campaign.timezone_offset_seconds ?? 0)) })}
            </span>
          )}
        </p>
        <ul className="text-[0.8125rem]/4.5 flex flex-wrap gap-x-6 gap-y-1">
          {reasonTexts(decides ? status_reasons.map(withoutWaiting) : status_reasons).map(
            ({ key, since, text, remedy, action }) => (
              <li key={key} className="flex flex-wrap items-baseline gap-x-2">
                <span>
                  {text}
                  <span className="text-muted-foreground">{`, ${t('status:since', { date: formatMinute(since) })}`}</span>
                  {remedy !== null && <span className="text-muted-foreground">{`. ${remedy}.`}</span>}
                </span>
                {/* The form itself publishes. */}
                {action !== null && !PUBLISHES.has(action) && <RemedyAction campaign={campaign} remedy={action} look="quiet" />}
              </li>
            ),
          )}
        </ul>
      </div>
      {campaign.impressions !== null && campaign.impressions > 0 && <OverDelivery id={campaign.id} />}
      {moderator_comment !== null && moderator_comment !== '' && (
        <Alert variant="destructive" role="note">
          <MessageSquareText aria-hidden />
          <AlertTitle>{t('form:moderatorComment')}</AlertTitle>
          <AlertDescription className="whitespace-pre-line">{moderator_comment}</AlertDescription>
        </Alert>
      )}
    </section>
  )
}

const PUBLISHES: ReadonlySet<string> = new Set(['publish', 'publish_changes', 'edit_and_publish'])

const withoutWaiting = (reason: Reason): Reason => (reason.remedy === 'wait_for_moderator' ? { ...reason, remedy: null } : reason)
