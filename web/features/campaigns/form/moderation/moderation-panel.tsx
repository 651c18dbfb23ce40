import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '../../../../../api/contract/campaign-body.ts'
import { Button } from '../../../../components/ui/button.tsx'
import { formatMinute } from '../../../../i18n/format.ts'
import { DifferenceTable } from '../change-log/difference-table.tsx'
import { ApproveDialog } from './approve-dialog.tsx'
import { RejectDialog } from './reject-dialog.tsx'

type ModerationPanelProps = { readonly campaign: Campaign; readonly onReload: () => void }

/** What a moderator needs to decide: since when it waits, and what is new about it. */
export function ModerationPanel({ campaign, onReload }: ModerationPanelProps) {
  const { t } = useTranslation('moderation')
  const [dialog, setDialog] = useState<'approve' | 'reject' | null>(null)
  const live = campaign.approved_version !== null
  const date = campaign.moderation_start_at === null ? '' : formatMinute(campaign.moderation_start_at)
  const close = () => setDialog(null)
  return (
    <section aria-label={t('panelTitle')} className="border-accent-ink/30 bg-accent-tint rounded-card border px-5 py-4">
      <div className="flex items-center gap-4">
        <ShieldCheck aria-hidden className="text-accent-ink size-5 shrink-0" />
        <div className="grow">
          <h2 className="font-semibold">{t('panelTitle')}</h2>
          <p className="text-table">{t(live ? 'panelTextLive' : 'panelText', { date })}</p>
        </div>
        <Button variant="secondary" onClick={() => setDialog('reject')}>
          {t('reject')}
        </Button>
        <Button onClick={() => setDialog('approve')}>{t('approve')}</Button>
      </div>
      {live && campaign.unapproved_changes.length > 0 && (
        <div className="bg-surface rounded-control mt-4 px-4 pt-3">
          <h3 className="text-table font-semibold">{t('changedTitle')}</h3>
          <DifferenceTable changes={campaign.unapproved_changes} />
        </div>
      )}
      <ApproveDialog campaign={campaign} open={dialog === 'approve'} onClose={close} onReload={onReload} />
      <RejectDialog campaign={campaign} open={dialog === 'reject'} onClose={close} onReload={onReload} />
    </section>
  )
}
