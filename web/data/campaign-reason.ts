import type { z } from '#contract/zod'
import { lookUp } from '@/i18n/look-up'
import type { statusReason } from '#contract/campaign-body'

export type Reason = z.output<typeof statusReason>
type ReasonText = {
  readonly key: string
  readonly since: string
  readonly text: string
  readonly remedy: string | null
  readonly action: string | null
}

/** Remedies that require no action. */
const PASSIVE: ReadonlySet<string> = new Set(['wait_for_moderator', 'wait_for_exchange', 'wait_for_start', 'edit_schedule'])
const isPassive = ({ remedy }: Reason) => remedy !== null && PASSIVE.has(remedy)

/**
 * Reasons and remedies in the user's language, without those unknown to this version of the screens. "Nothing to do" is omitted
 * when another remedy requires an action.
 `action` is the name of the remedy, as `RemedyAction` takes it.
 */
export function reasonTexts(reasons: readonly Reason[]): readonly ReasonText[] {
  const active = reasons.some((reason) => reason.remedy !== null && !isPassive(reason))
  return reasons.flatMap((reason) => {
    const text = lookUp(`status:reason.${reason.key}`)
    if (text === null) return []
    const remedy = reason.remedy === null || (active && isPassive(reason)) ? null : remedyText(reason.key, reason.remedy)
    return [{ key: reason.key, since: reason.since, text, remedy, action: remedy === null ? null : reason.remedy }]
  })
}

const remedyText = (reason: string, remedy: string) => lookUp(`status:remedyOf.${reason}`) ?? lookUp(`status:remedy.${remedy}`)
