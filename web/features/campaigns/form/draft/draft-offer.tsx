import { History } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { Alert, AlertDescription, AlertTitle } from '@/components/ui/alert'
import { formatMinute } from '@/i18n/format'
import type { Draft } from './local-draft.ts'

type DraftOfferProps = {
  readonly draft: Draft
  readonly onContinue: () => void
  readonly onStartAnew: () => void
}

/** Offers an unsaved draft, with its name and time, to continue or discard. */
export function DraftOffer({ draft, onContinue, onStartAnew }: DraftOfferProps) {
  const { t } = useTranslation('form')
  const date = formatMinute(new Date(draft.at))
  const name = draft.values.name.trim() || t('newCampaign')
  return (
    <section aria-label={t('draft.title')}>
      <Alert role="presentation">
        <History aria-hidden />
        <AlertTitle>{t('draft.title')}</AlertTitle>
        <AlertDescription>
          <p>{t('draft.text', { date, name })}</p>
          <div className="flex gap-2">
            <Button variant="outline" size="sm" onClick={onContinue}>
              {t('draft.continue')}
            </Button>
            <Button variant="ghost" size="sm" onClick={onStartAnew}>
              {t(draft.on === null ? 'draft.startAnew' : 'draft.discard')}
            </Button>
          </div>
        </AlertDescription>
      </Alert>
    </section>
  )
}
