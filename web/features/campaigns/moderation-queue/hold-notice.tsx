import { UserRoundCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ReviewHolder } from '#contract/moderation'
import { ariaKeys } from '@/app/shortcuts/keys'
import { ShortcutHint } from '@/app/shortcuts/shortcut-hint'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { useTakeOver } from '@/features/campaigns/moderation/holds'
import { formatMinute } from '@/i18n/format'

type HoldNoticeProps = {
  readonly campaignId: string
  readonly holder: ReviewHolder
  /** Whether the holder took it from the user. */
  readonly takenOver: boolean
}

/** Reports that another moderator reviews the submission, and offers to take it over. */
export function HoldNotice({ campaignId, holder, takenOver }: HoldNoticeProps) {
  const { t } = useTranslation('moderation')
  const { mutate, isPending } = useTakeOver(campaignId)
  const run = () => mutate()
  useShortcuts([{ id: 'moderation.takeOver', label: t('hold.takeOver'), keys: ['t'], when: () => !isPending, run }])
  return (
    <Notice tone="warn" role={takenOver ? 'alert' : 'status'}>
      <UserRoundCheck aria-hidden />
      <div className="flex flex-col items-start gap-2">
        <p className="font-semibold">{t(takenOver ? 'hold.takenOver' : 'hold.held', { name: holder.name })}</p>
        <p>{t('hold.text', { time: formatMinute(holder.since) })}</p>
        <Button variant="outline" size="sm" disabled={isPending} aria-keyshortcuts={ariaKeys(['t'])} onClick={run}>
          {t('hold.takeOver')}
          <ShortcutHint keys="t" />
        </Button>
      </div>
    </Notice>
  )
}
