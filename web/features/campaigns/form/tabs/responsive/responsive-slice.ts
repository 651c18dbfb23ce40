import { z } from '#contract/zod'
import { DYNAMIC_AD } from '#domain/campaign/content/fields/creatives'
import { record } from '#domain/kit/fields'
import { bytes, draftName, textBack } from '@/features/campaigns/form/creatives/wire-values'
import { fieldMapping } from '@/features/campaigns/form/slices/field-mapping'
import { adSlice } from '@/features/campaigns/form/slices/record-slice'

export const RESPONSIVE_LIMITS = { title: 30, description: 50, callToAction: 12, companyName: 10 } as const
export const MAX_ROWS = 5

export type TextRow = { index: number; value: string }
/** Rows of text. The form has at least one to type into; empty rows are not sent, unless they were stored. */
const rows = (max: number) => ({
  schema: z.array(z.object({ index: z.number(), value: bytes(max) })),
  show: (stored: readonly TextRow[]): TextRow[] => (stored.length === 0 ? [{ index: 0, value: '' }] : [...stored]),
  send: (typed: readonly TextRow[], stored: readonly TextRow[] = []) =>
    typed.filter(({ index, value }) => value.trim() !== '' || stored.some((one) => one.index === index && one.value === value)),
})
export const nextIndex = (rows: readonly { readonly index: number }[]) => Math.max(-1, ...rows.map(({ index }) => index)) + 1

const bare = (color: string) => color.replace(/^#/, '')

const mapping = fieldMapping(record(DYNAMIC_AD), {
  names: { call_to_action_color: 'color' },
  own: {
    creative_name: { schema: draftName },
    titles: rows(RESPONSIVE_LIMITS.title),
    descriptions: rows(RESPONSIVE_LIMITS.description),
    call_to_action: { schema: bytes(RESPONSIVE_LIMITS.callToAction) },
    /** Six hex digits; on the wire they have a leading #. */
    call_to_action_color: {
      schema: z.string().check(z.regex(/^#?[0-9a-fA-F]{6}$/, 'creatives:color.invalid')),
      show: bare,
      send: (typed: string) => `#${bare(typed)}`,
    },
    company_name: { schema: bytes(RESPONSIVE_LIMITS.companyName) },
  },
  without: ['id', 'isManual'],
  text: textBack,
})

export const responsiveSlice = adSlice(
  'dynamic_ad',
  mapping,
  z.object({ enabled: z.boolean(), ...mapping.shape }),
  // Rows are named by their own index, which may differ from their position.
  (rest, values) => {
    const [, list, row] = /^(titles|descriptions)(?:\[(\d+)\])?/.exec(rest) ?? []
    if (list !== 'titles' && list !== 'descriptions') return null
    const place = values[list].findIndex(({ index }) => String(index) === row)
    return `${list}.${Math.max(0, place)}.value`
  },
)
export type ResponsiveValues = z.infer<typeof responsiveSlice.schema>
