import { useTranslation } from 'react-i18next'
import type { QueuedSubmission } from '#contract/moderation'

const TONES = { first: 'bg-primary-tint text-primary-ink', again: 'bg-warning-tint text-warning' } as const

type SubmissionChipsProps = {
  readonly submission: QueuedSubmission
  /** Shows an explanation beside each chip. */
  readonly explained?: true
}

/** Context for the moderator: the account is new, or the campaign was reviewed before. */
export function SubmissionChips({ submission, explained }: SubmissionChipsProps) {
  const { t } = useTranslation('moderation')
  const chips = [...(submission.first_review ? (['first'] as const) : []), ...(submission.re_review ? (['again'] as const) : [])]
  return chips.map((chip) => (
    <span key={chip}>
      <span className={`text-xs rounded-full px-2 leading-[18px] font-medium whitespace-nowrap ${TONES[chip]}`}>
        {t(`chip.${chip}`)}
      </span>
      {explained && <span className="ml-1.5">{t(`chipHelp.${chip}`)}</span>}
    </span>
  ))
}
