import { useRouter } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { Button } from '@/components/ui/button'
import { returnPath } from '@/session/return-path'
import { formatMinute } from '@/i18n/format'
import { DifferenceTable } from '../change-log/difference-table.tsx'
import { ApproveDialog } from './approve-dialog.tsx'
import { StaleNotice } from './refusal-notice.tsx'
import { RejectDialog } from './reject-dialog.tsx'
import type { Verdict } from './use-decision.ts'
import { useDelayedDecisions } from './use-delayed-decisions.tsx'
import { useSeen } from './use-seen.ts'
import '@/i18n/texts/moderation'

type ModerationPanelProps = { readonly campaign: Campaign; readonly onReload: () => void }

/** Shown above the form: waiting time, changes, and the two decisions, which return to the list. */
export function ModerationPanel({ campaign: newest, onReload }: ModerationPanelProps) {
  const { t } = useTranslation('moderation')
  const router = useRouter()
  const decisions = useDelayedDecisions(
    ({ id }) => void router.navigate({ to: '/campaign/edit/$id', params: { id }, search: { tab: 'basicInfo' } }),
  )
  // A decision that came back opens again as it was.
  const [dialog, setDialog] = useState<'approve' | 'reject' | null>(decisions.draftOf(newest)?.kind ?? null)
  // The form below shows the opened version; only that one can be decided.
  const { campaign, changed } = useSeen(newest, false)
  const live = campaign.approved_version !== null
  const date = campaign.moderation_start_at === null ? '' : formatMinute(campaign.moderation_start_at)
  const dialogs = {
    campaign,
    draft: decisions.draftOf(campaign),
    refusal: decisions.refusalOf(campaign),
    onReload: () => {
      decisions.forget(campaign)
      onReload()
    },
    onClose: () => {
      decisions.forget(campaign)
      setDialog(null)
    },
    onDecide: (verdict: Verdict) => {
      decisions.decide(campaign, verdict)
      router.history.push(returnPath())
    },
  }
  return (
    <section aria-label={t('panelTitle')} className="border-primary-ink/30 bg-primary-tint rounded-lg border px-5 py-4">
      <div className="flex items-center gap-4">
        <ShieldCheck aria-hidden className="text-primary-ink size-5 shrink-0" />
        <div className="grow">
          <h2 className="font-semibold">{t('panelTitle')}</h2>
          <p className="text-[0.8125rem]/4.5">{t(live ? 'panelTextLive' : 'panelText', { date })}</p>
        </div>
        <Button variant="outline" disabled={changed} onClick={() => setDialog('reject')}>
          {t('reject')}
        </Button>
        <Button disabled={changed} onClick={() => setDialog('approve')}>
          {t('approve')}
        </Button>
      </div>
      {changed && (
        <div className="mt-4">
          <StaleNotice onReload={onReload} />
        </div>
      )}
      {live && campaign.unapproved_changes.length > 0 && (
        <div className="bg-card rounded-md mt-4 px-4 pt-3">
          <h3 className="text-[0.8125rem]/4.5 font-semibold">{t('changedTitle')}</h3>
          <DifferenceTable changes={campaign.unapproved_changes} />
        </div>
      )}
      <ApproveDialog {...dialogs} open={dialog === 'approve'} />
      <RejectDialog {...dialogs} open={dialog === 'reject'} />
    </section>
  )
}
