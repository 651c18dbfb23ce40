import type { z } from '../../api/contract/zod.ts'
import { lookUp } from '../i18n/look-up.ts'
import type { statusReason } from '../../api/contract/campaign-body.ts'

export type Reason = z.output<typeof statusReason>

/** Reason and remedy in the reader's language; null for one that this version of the screens does not know. */
export function reasonText(reason: Reason): { readonly text: string; readonly remedy: string | null } | null {
  const text = lookUp(`status:reason.${reason.key}`)
  return text === null ? null : { text, remedy: reason.remedy === null ? null : lookUp(`status:remedy.${reason.remedy}`) }
}
