import { z } from '#contract/zod'
import type { Campaign } from '#contract/campaign-body'
import { isSame, under } from '@/features/campaigns/form/creatives/wire-values'
import { withoutDecisions } from '@/features/campaigns/form/slices/record-slice'
import type { FormSlice } from '@/features/campaigns/form/slices/slice'

export const MAX_TRACKS = 5

const track = z.object({
  /** Null until it is stored. */
  id: z.nullable(z.string()),
  fileId: z.string(),
  name: z.nullable(z.string()),
  url: z.nullable(z.string()),
  /** Megabytes, to two decimals. */
  size: z.nullable(z.number()),
  extension: z.nullable(z.string()),
})
const schema = z.object({ tracks: z.array(track).check(z.maxLength(MAX_TRACKS, `faults:tooMany?max=${MAX_TRACKS}`)) })
export type TracksValues = z.infer<typeof schema>
export type TrackValue = z.infer<typeof track>

const fromAds = (ads: Campaign['audio_ads']): TrackValue[] =>
  ads.map(({ id, fileId, name, url, size, extension }) => ({ id, fileId, name, url, size, extension }))

export const tracksSlice: FormSlice<TracksValues> = {
  schema,
  paths: new Map([['audio_ads', 'tracks']]),
  empty: () => ({ tracks: [] }),
  fromCampaign: (campaign) => ({ tracks: fromAds(campaign.audio_ads) }),
  toInput: ({ tracks }, campaign) => {
    const stored = campaign?.audio_ads ?? []
    if (isSame(tracks, fromAds(stored))) return {}
    // Parts of a stored track that the form does not show are sent back.
    const known = (id: string | null) => withoutDecisions(stored.find((ad) => ad.id === id) ?? null)
    return { audio_ads: tracks.map(({ id, ...rest }) => ({ ...known(id), ...(id === null ? {} : { id }), ...rest })) }
  },
  fieldOf: (path, { tracks }) => {
    const rest = under(path, 'audio_ads')
    if (rest === null) return null
    const name = /^\[([^\]]+)\]/.exec(rest)?.[1]
    const byId = tracks.findIndex(({ id }) => id !== null && id === name)
    const place = byId === -1 && name !== undefined && /^\d+$/.test(name) ? Number(name) : byId
    return place < 0 || place >= tracks.length ? 'tracks' : `tracks.${place}.fileId`
  },
}
