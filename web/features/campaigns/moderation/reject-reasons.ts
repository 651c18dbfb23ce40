import { useTranslation } from 'react-i18next'

/** The most common reasons for rejection. */
export const REJECT_REASONS = ['misleading', 'prohibited', 'quality', 'link', 'legal', 'language', 'adult', 'other'] as const
export type RejectReason = (typeof REJECT_REASONS)[number]

/** Input of a moderator to reject a campaign. */
export type RejectValues = { readonly reasons: readonly RejectReason[]; readonly text: string }

/** Leaves room for every reason within the 5000 characters of a comment. */
export const FREE_TEXT_LIMIT = 4000

/** True when free text is required: rejecting requires a reason (campaigns.md §4, "Moderation"), either predefined (other than `other`) or as text. */
export const needsText = (reasons: readonly RejectReason[]) => reasons.length === 0 || reasons.includes('other')

/** Returns the advertiser's message: each reason on its own line, then the moderator's text. */
export function useRejectComment() {
  const { t } = useTranslation('moderation')
  return (reasons: readonly RejectReason[], text: string) => {
    const lines = REJECT_REASONS.flatMap((reason) =>
      reason !== 'other' && reasons.includes(reason) ? [t(`reasonText.${reason}`)] : [],
    )
    return [lines.join('\n'), text.trim()].filter((part) => part !== '').join('\n\n')
  }
}
