import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { EXCHANGES } from '#domain/campaign/content/options'
import { CheckGroup } from '@/components/form/check-group'
import { ActionDialog } from '@/components/dialog-frame'
import { CategoriesChoice } from '../form/tabs/administration/categories-choice.tsx'
import { RefusalNotice } from './refusal-notice.tsx'
import type { Verdict } from './use-decision.ts'
import '@/i18n/texts/owner'

export type DecisionDialogProps = {
  readonly campaign: Campaign
  readonly open: boolean
  readonly onClose: () => void
  /** Choices and texts from before a decision came back. */
  readonly draft: Verdict | null
  /** Why the server refused it. */
  readonly refusal: Error | null
  readonly onDecide: (verdict: Verdict) => void
  /** Shows the current version instead of the viewed one. */
  readonly onReload: () => void
}

/** Approves a campaign with the categories and exchanges chosen here. */
export function ApproveDialog({ campaign, open, draft, refusal, onClose, onDecide, onReload }: DecisionDialogProps) {
  const { t } = useTranslation('moderation')
  const before = draft?.kind === 'approve' ? draft.chosen : undefined
  const [categories, setCategories] = useState<readonly string[]>(before?.categories ?? campaign.campaign_category_keys ?? [])
  const [exchanges, setExchanges] = useState<readonly string[]>(before?.exchanges ?? campaign.exchange_id ?? [])
  return (
    <ActionDialog
      open={open}
      title={t('approveTitle')}
      description={t('approveText')}
      confirm={t('approve')}
      disabled={refusal !== null}
      onConfirm={() => onDecide({ kind: 'approve', chosen: { categories, exchanges } })}
      onClose={onClose}
    >
      {refusal !== null && <RefusalNotice error={refusal} campaignId={campaign.id} onReload={onReload} />}
      <CategoriesChoice chosen={categories} onChange={setCategories} />
      <CheckGroup
        label={t('exchanges')}
        help={t('exchangesHelp')}
        options={EXCHANGES.map((exchange) => ({ value: exchange, label: t(`exchange.${exchange}`) }))}
        value={exchanges}
        onChange={setExchanges}
      />
    </ActionDialog>
  )
}
