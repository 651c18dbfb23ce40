import { History } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
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
      <Notice className="items-center">
        <History aria-hidden className="self-start" />
        <div className="mr-auto">
          <p className="font-medium">{t('draft.title')}</p>
          <p className="text-muted-foreground">{t('draft.text', { date, name })}</p>
        </div>
        <Button variant="ghost" onClick={onStartAnew}>
          {t('draft.startAnew')}
        </Button>
        <Button variant="outline" onClick={onContinue}>
          {t('draft.continue')}
        </Button>
      </Notice>
    </section>
  )
}
