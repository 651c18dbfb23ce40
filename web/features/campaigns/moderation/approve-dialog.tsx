import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { EXCHANGES } from '#domain/campaign/content/options'
import { CheckGroup } from '@/components/form/check-group'
import { Button } from '@/components/ui/button'
import { DialogPanelBody, DialogPanel, DialogPanelFooter } from '@/components/dialog-panel'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { CategoriesChoice } from '../form/tabs/administration/categories-choice.tsx'
import { RefusalNotice } from './refusal-notice.tsx'
import { useDecision } from './use-decision.ts'
import '@/i18n/texts/owner'

export type DecisionDialogProps = {
  readonly campaign: Campaign
  readonly open: boolean
  readonly onClose: () => void
  readonly onDecided: () => void
  /** Shows the current version instead of the viewed one. */
  readonly onReload: () => void
}

/** Approves a campaign with the categories and exchanges chosen here. */
export function ApproveDialog({ campaign, open, onClose, onDecided, onReload }: DecisionDialogProps) {
  const { t } = useTranslation(['moderation', 'common'])
  const [categories, setCategories] = useState<readonly string[]>(campaign.campaign_category_keys ?? [])
  const [exchanges, setExchanges] = useState<readonly string[]>(campaign.exchange_id ?? [])
  const { decide, pending, refusal } = useDecision(campaign, onDecided)
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogPanel title={t('moderation:approveTitle')} description={t('moderation:approveText')}>
        <DialogPanelBody>
          {refusal !== null && <RefusalNotice error={refusal} onReload={onReload} />}
          <CategoriesChoice chosen={categories} onChange={setCategories} />
          <CheckGroup
            label={t('moderation:exchanges')}
            help={t('moderation:exchangesHelp')}
            options={EXCHANGES.map((exchange) => ({ value: exchange, label: t(`moderation:exchange.${exchange}`) }))}
            value={exchanges}
            onChange={setExchanges}
          />
        </DialogPanelBody>
        <DialogPanelFooter>
          <DialogClose asChild>
            <Button variant="outline">{t('common:cancel')}</Button>
          </DialogClose>
          <Button
            disabled={pending || refusal !== null}
            onClick={() => decide({ kind: 'approve', chosen: { categories, exchanges } })}
          >
            {t('moderation:approve')}
          </Button>
        </DialogPanelFooter>
      </DialogPanel>
    </Dialog>
  )
}
