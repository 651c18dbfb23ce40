import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { AppError } from '@/data/app-error'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { errorText } from '@/i18n/error-text'
import { useTakeOver } from './holds.ts'

/** Refusals that a moderator can act on, by error code. */
const EXPLAINED = { 3: 'forbidden', 134: 'archived', 136: 'decided', 138: 'stale', 143: 'held' } as const

const reasonOf = (error: Error) =>
  error instanceof AppError ? (Object.entries(EXPLAINED).find(([code]) => Number(code) === error.code)?.[1] ?? null) : null

type RefusalNoticeProps = { readonly error: Error; readonly campaignId: string; readonly onReload: () => void }

/** Explains why a decision was not saved, and offers the current version. */
export function RefusalNotice({ error, campaignId, onReload }: RefusalNoticeProps) {
  const { t } = useTranslation('moderation')
  const reason = reasonOf(error)
  const takeOver = useTakeOver(campaignId, onReload)
  if (reason === 'stale') return <StaleNotice onReload={onReload} />
  return (
    <Warning
      title={t(reason === null ? 'refusal.title' : `refusal.${reason}Title`)}
      text={reason === null ? errorText(error) : t(`refusal.${reason}Text`)}
      {...(reason === 'forbidden' || reason === 'held' ? {} : { onReload })}
      {...(reason === 'held' ? { onTakeOver: () => takeOver.mutate() } : {})}
    />
  )
}

/**
 * Reports that the campaign has changed. The viewed version stays until the moderator loads the newest, and cannot be decided.
 */
export function StaleNotice({ onReload }: { readonly onReload: () => void }) {
  const { t } = useTranslation('moderation')
  return <Warning title={t('staleTitle')} text={t('staleText')} onReload={onReload} />
}

type WarningProps = {
  readonly title: string
  readonly text: string
  readonly onReload?: () => void
  readonly onTakeOver?: () => void
}

function Warning({ title, text, onReload, onTakeOver }: WarningProps) {
  const { t } = useTranslation('moderation')
  return (
    <Notice tone="warn" role="alert">
      <TriangleAlert aria-hidden />
      <div className="flex flex-col items-start gap-2">
        <p className="font-semibold">{title}</p>
        <p>{text}</p>
        {onTakeOver !== undefined && (
          <Button variant="outline" size="sm" onClick={onTakeOver}>
            {t('hold.takeOver')}
          </Button>
        )}
        {onReload !== undefined && (
          <Button variant="outline" size="sm" onClick={onReload}>
            {t('reload')}
          </Button>
        )}
      </div>
    </Notice>
  )
}
