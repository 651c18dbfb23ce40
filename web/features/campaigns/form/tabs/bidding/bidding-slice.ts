import { z } from '#contract/zod'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'
import { counts, isGroup, type DraftGroup, type DraftNode } from '@/components/rules/draft'
import { draftFaults, toDrafts, toEntries, type DraftEntry } from './draft.ts'

const draftGroup = z.custom<DraftGroup>((value) => typeof value === 'object' && value !== null && 'rules' in value)

const schema = z
  .object({
    entries: z.array(
      z.object({
        id: z.number(),
        name: z.string().check(z.minLength(1, 'faults:required'), z.maxLength(5000, 'faults:maxLength?max=5000')),
        multiplier: z.string(),
        rules: draftGroup,
      }),
    ),
  })
  .check(
    z.superRefine(({ entries }, context) => {
      for (const { path, message } of draftFaults(entries)) context.addIssue({ code: 'custom', path: [...path], message })
    }),
  )
export type BiddingValues = z.infer<typeof schema>

export const biddingSlice: FormSlice<BiddingValues> = {
  schema,
  paths: new Map([['traffic_targeting', 'entries']]),
  empty: () => ({ entries: [] }),
  fromCampaign: ({ traffic_targeting: text }) => ({ entries: toDrafts(text) }),
  /** Sends the key only when it changed. This keeps the stored text exactly, and users without owner fields send none. */
  toInput: ({ entries }, campaign) => {
    if (campaign !== null && campaign.traffic_targeting === undefined) return {}
    const text = JSON.stringify(toEntries(entries))
    return text === JSON.stringify(toEntries(toDrafts(campaign?.traffic_targeting))) ? {} : { traffic_targeting: text }
  },
  fieldOf: (path, { entries }) => {
    const [, id, rest = ''] = /^traffic_targeting(?:\[(\d+)\])?(?:$|\.(.*)$)/.exec(path) ?? []
    if (!path.startsWith('traffic_targeting')) return null
    const index = entries.findIndex((entry) => String(entry.id) === id)
    const entry = entries[index]
    if (entry === undefined) return 'entries'
    return `entries.${index}${entryField(entry, rest)}`
  },
}

/** Maps a wire index to a form index. The form also contains added, unsent entries. */
function entryField({ rules }: DraftEntry, rest: string): string {
  if (!rest.startsWith('rules')) return rest === 'name' || rest === 'multiplier' ? `.${rest}` : ''
  let group: DraftGroup | null = rules
  let field = '.rules'
  for (const [, place] of rest.matchAll(/\.rules\[(\d+)\]/g)) {
    const kept: readonly number[] = group === null ? [] : group.rules.flatMap((node, index) => (counts(node) ? [index] : []))
    const index = kept[Number(place)]
    const node: DraftNode | undefined = index === undefined ? undefined : group?.rules[index]
    if (node === undefined) return field
    field += `.rules.${index}`
    group = isGroup(node) ? node : null
  }
  const leaf = /\.(field|operator|value)$/.exec(rest)?.[1]
  return group === null && leaf !== undefined ? `${field}.${leaf}` : field
}
