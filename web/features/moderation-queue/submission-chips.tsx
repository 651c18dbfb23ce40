import { useTranslation } from 'react-i18next'
import type { QueuedSubmission } from '../../../api/contract/moderation.ts'

const chip = 'text-meta rounded-full px-2 font-medium whitespace-nowrap leading-[18px]'

/** What a moderator should know before looking: nobody has seen this account yet, or somebody has seen this campaign before. */
export function SubmissionChips({ submission }: { readonly submission: QueuedSubmission }) {
  const { t } = useTranslation('moderation')
  return (
    <>
      {submission.first_review && (
        <span title={t('chipHelp.first')} className={`${chip} bg-accent-tint text-accent-ink`}>
          {t('chip.first')}
        </span>
      )}
      {submission.re_review && (
        <span title={t('chipHelp.again')} className={`${chip} bg-warn-tint text-warn`}>
          {t('chip.again')}
        </span>
      )}
    </>
  )
}
