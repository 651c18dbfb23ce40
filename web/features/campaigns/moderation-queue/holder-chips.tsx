import { useTranslation } from 'react-i18next'
import type { QueuedSubmission } from '#contract/moderation'
import { useMe } from '@/session/session-queries'

type HolderChipsProps = { readonly submission: Pick<QueuedSubmission, 'holder' | 'assignee'>; readonly now: number }

/** Moderator who reviews the submission now, and the one to whom it is assigned. */
export function HolderChips({ submission: { holder, assignee }, now }: HolderChipsProps) {
  const { t } = useTranslation('moderation')
  const { id: me } = useMe()
  const held = holder !== null && Date.parse(holder.until) > now
  return (
    <>
      {held && <Chip>{holder.id === me ? t('hold.mine') : t('hold.chip', { name: holder.name })}</Chip>}
      {assignee !== null && <Chip>{assignee.id === me ? t('assign.mine') : t('assign.chip', { name: assignee.name })}</Chip>}
    </>
  )
}

const Chip = ({ children }: { readonly children: string }) => (
  <span className="bg-muted text-foreground text-xs rounded-full px-2 leading-[18px] font-medium">{children}</span>
)
