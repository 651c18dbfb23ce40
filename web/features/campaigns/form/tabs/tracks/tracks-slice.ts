import { z } from '#contract/zod'
import type { Campaign } from '#contract/campaign-body'
import { isSame, under } from '@/features/campaigns/form/creatives/wire-values'
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
  empty: () => ({ tracks: [] }),
  fromCampaign: (campaign) => ({ tracks: fromAds(campaign.audio_ads) }),
  toInput: ({ tracks }, campaign) => {
    if (isSame(tracks, fromAds(campaign?.audio_ads ?? []))) return {}
    return { audio_ads: tracks.map(({ id, ...rest }) => ({ ...(id === null ? {} : { id }), ...rest })) }
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
