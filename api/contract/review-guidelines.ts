import { named } from './http.ts'
import { z } from './zod.ts'

/** Guidelines of a white-label for its moderators (fine print 101). The domain has tighter limits, and names the faults. */

/** A text in every language of the product. */
const texts = z.object({ en: z.string().check(z.maxLength(5000)), ru: z.string().check(z.maxLength(5000)) })

export const cannedReason = named(
  'CannedReason',
  z.object({
    topic: z.string().check(z.maxLength(5000), z.describe('The policy that it is about; empty for none')),
    active: z.boolean(),
    title: texts,
    text: texts.check(z.describe('What the advertiser reads')),
  }),
)
export type CannedReason = z.output<typeof cannedReason>

export const checklistLine = named('ChecklistLine', texts)
export type ChecklistLine = z.output<typeof checklistLine>
