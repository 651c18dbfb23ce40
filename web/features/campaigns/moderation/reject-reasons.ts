import { useTranslation } from 'react-i18next'

/** What campaigns are most often rejected for. */
export const REJECT_REASONS = ['misleading', 'prohibited', 'quality', 'link', 'legal', 'language', 'adult', 'other'] as const
export type RejectReason = (typeof REJECT_REASONS)[number]

/** Leaves room for every reason within the 5000 characters of a comment. */
export const FREE_TEXT_LIMIT = 4000

/** Something has to be told to the advertiser: a reason with a text of its own, or words (spec §4: rejecting requires a reason). */
export const needsText = (reasons: readonly RejectReason[]) => reasons.length === 0 || reasons.includes('other')

/** What the advertiser reads: each reason on a line of its own, then the moderator's words. */
export function useRejectComment() {
  const { t } = useTranslation('moderation')
  return (reasons: readonly RejectReason[], text: string) => {
    const lines = REJECT_REASONS.flatMap((reason) =>
      reason !== 'other' && reasons.includes(reason) ? [t(`reasonText.${reason}`)] : [],
    )
    return [lines.join('\n'), text.trim()].filter((part) => part !== '').join('\n\n')
  }
}
