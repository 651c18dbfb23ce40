import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { StatusText } from '@/components/status-text'
import { Alert, AlertDescription } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { formatMinute } from '@/i18n/format'
import type { TabKey } from './form-tabs.ts'

type PastNoticeProps = { readonly campaign: Campaign; readonly instant: string; readonly tab: TabKey }

/** Says of when a campaign is shown, with its status then, and leads back. */
export function PastNotice({ campaign, instant, tab }: PastNoticeProps) {
  const { t } = useTranslation('form')
  return (
    <Alert role="note">
      <History aria-hidden />
      <AlertDescription className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="grow">
          {t('past.text', { date: formatMinute(instant), revision: campaign.revision })}{' '}
          <StatusText statusKey={campaign.status_key} />
        </p>
        <span className="flex flex-wrap gap-2">
          <Button asChild variant="outline" size="sm">
            <Link to="/campaign/timeline/$id" params={{ id: campaign.id }} search={{ at: instant }}>
              {t('past.timeline')}
            </Link>
          </Button>
          <Button asChild variant="outline" size="sm">
            <Link to="/campaign/edit/$id" params={{ id: campaign.id }} search={{ tab }}>
              {t('past.now')}
            </Link>
          </Button>
        </span>
      </AlertDescription>
    </Alert>
  )
}
