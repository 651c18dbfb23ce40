import { z } from '#contract/zod'
import type { Campaign } from '#contract/campaign-body'
import { bytes, draftName, headOf, indexedImage, isSame, textBack, under } from '@/features/campaigns/form/creatives/wire-values'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'

export const RESPONSIVE_LIMITS = { title: 30, description: 50, callToAction: 12, companyName: 10 } as const
export const MAX_ROWS = 5
const DEFAULT_COLOR = '65abf6'

const row = (max: number) => z.array(z.object({ index: z.number(), value: bytes(max) }))
const schema = z.object({
  enabled: z.boolean(),
  creativeName: draftName,
  titles: row(RESPONSIVE_LIMITS.title),
  descriptions: row(RESPONSIVE_LIMITS.description),
  callToAction: bytes(RESPONSIVE_LIMITS.callToAction),
  /** Six hex digits; on the wire they have a leading #. */
  color: z.string().check(z.regex(/^#?[0-9a-fA-F]{6}$/, 'creatives:color.invalid')),
  companyName: bytes(RESPONSIVE_LIMITS.companyName),
  images: z.array(indexedImage),
  logos: z.array(indexedImage),
})
export type ResponsiveValues = z.infer<typeof schema>
export type TextRow = ResponsiveValues['titles'][number]

const FIELDS: Readonly<Record<string, string>> = {
  creative_name: 'creativeName',
  call_to_action: 'callToAction',
  call_to_action_color: 'color',
  company_name: 'companyName',
  images: 'images',
  logos: 'logos',
}

const bare = (color: string) => color.replace(/^#/, '')
/** Guarantees at least one row to type into. */
const rowsOf = (rows: readonly TextRow[]): TextRow[] => (rows.length === 0 ? [{ index: 0, value: '' }] : [...rows])
/** Empty rows are not sent, unless they were stored. */
const sentRows = (rows: readonly TextRow[], stored: readonly TextRow[]) =>
  rows.filter(({ index, value }) => value.trim() !== '' || stored.some((known) => known.index === index && known.value === value))

export const nextIndex = (rows: readonly { readonly index: number }[]) => Math.max(-1, ...rows.map(({ index }) => index)) + 1

const fromAd = (ad: Campaign['dynamic_ad']): Omit<ResponsiveValues, 'enabled'> => ({
  creativeName: ad?.creative_name ?? '',
  titles: rowsOf(ad?.titles ?? []),
  descriptions: rowsOf(ad?.descriptions ?? []),
  callToAction: ad?.call_to_action ?? '',
  color: bare(ad?.call_to_action_color ?? DEFAULT_COLOR),
  companyName: ad?.company_name ?? '',
  images: [...(ad?.images ?? [])],
  logos: [...(ad?.logos ?? [])],
})

export const responsiveSlice: FormSlice<ResponsiveValues> = {
  schema,
  empty: () => ({ enabled: false, ...fromAd(null) }),
  fromCampaign: (campaign) => ({ enabled: campaign.dynamic_ad_enabled, ...fromAd(campaign.dynamic_ad) }),
  toInput: ({ enabled, ...values }, campaign) => {
    const known = campaign?.dynamic_ad ?? null
    if (isSame(values, fromAd(known))) return { dynamic_ad_enabled: enabled }
    return {
      dynamic_ad_enabled: enabled,
      dynamic_ad: {
        ...(known === null ? {} : { id: known.id }),
        creative_name: textBack(values.creativeName, known?.creative_name),
        titles: sentRows(values.titles, known?.titles ?? []),
        descriptions: sentRows(values.descriptions, known?.descriptions ?? []),
        call_to_action: textBack(values.callToAction, known?.call_to_action),
        call_to_action_color: `#${bare(values.color)}`,
        company_name: textBack(values.companyName, known?.company_name),
        images: values.images,
        logos: values.logos,
        isManual: known?.isManual ?? false,
      },
    }
  },
  fieldOf: (path, values) => {
    if (path === 'dynamic_ad_enabled') return 'enabled'
    const rest = under(path, 'dynamic_ad')
    if (rest === null) return null
    const listed = /^(titles|descriptions)(?:\[(\d+)\])?/.exec(rest)
    if (listed === null) return FIELDS[headOf(rest)] ?? 'creativeName'
    // Rows are named by their own index, which may differ from their position.
    const list = listed[1] === 'titles' ? 'titles' : 'descriptions'
    const place = values[list].findIndex(({ index }) => String(index) === listed[2])
    return `${list}.${Math.max(0, place)}.value`
  },
}
