import type { CampaignInput } from '#contract/campaign-body'

/**
 * A save under the documented names: `cta` and `call_to_action`, `fileId` and `file_id` are understood wherever one of them is
 * (decisions G-013, G-149).
 */
export function withoutAliases(input: CampaignInput): CampaignInput {
  const { dynamic_ad: responsive, native_ad: native, video_ad: film, audio_ads: tracks } = input
  return {
    ...input,
    ...(responsive ? { dynamic_ad: renamed(responsive, 'cta', 'call_to_action') } : {}),
    ...(native
      ? {
          native_ad: {
            ...renamed(native, 'cta', 'call_to_action'),
            ...(native.video ? { video: renamed(native.video, 'file_id', 'fileId') } : {}),
          },
        }
      : {}),
    ...(film
      ? {
          video_ad: {
            ...renamed(film, 'call_to_action', 'cta'),
            ...(film.video ? { video: renamed(film.video, 'fileId', 'file_id') } : {}),
          },
        }
      : {}),
    ...(tracks ? { audio_ads: tracks.map((track) => renamed(track, 'file_id', 'fileId')) } : {}),
  }
}

function renamed<T extends Readonly<Record<string, unknown>>>(value: T, from: keyof T & string, to: keyof T & string): T {
  const { [from]: alias, ...rest } = value
  return { ...rest, [to]: value[to] ?? alias } as T
}
