import type { Json } from './changes.ts'
import type { Banner, CampaignContent, CreativeKind, DynamicAd, NativeAd, VideoAd, AudioAd } from './content.ts'

/** One advertisement of a campaign, whatever its kind: what exchanges decide about and moderators look at. */
export type Creative = {
  readonly id: string
  readonly kind: CreativeKind
  readonly name: string | null
  /** Where it stands in the content, for faults and the change log. */
  readonly path: string
  /** Text and media: all a moderator judges. The creative's name is a label and not part of it. */
  readonly material: Json
}

type Ad = DynamicAd | NativeAd | VideoAd | AudioAd | Banner

function creative(kind: CreativeKind, path: string, ad: Ad): Creative {
  const name = 'creative_name' in ad ? ad.creative_name : ad.name
  const material: Record<string, Json> = { kind }
  for (const [key, value] of Object.entries(ad))
    if (key !== 'id' && key !== 'creative_name' && key !== 'isManual') material[key] = value
  return { id: ad.id, kind, name, path, material }
}

/** All creatives of a content, switched on or not. */
export function creativesOf(content: CampaignContent): readonly Creative[] {
  return [
    ...(content.dynamic_ad ? [creative('dynamic', 'dynamic_ad', content.dynamic_ad)] : []),
    ...(content.native_ad ? [creative('native', 'native_ad', content.native_ad)] : []),
    ...(content.video_ad ? [creative('video', 'video_ad', content.video_ad)] : []),
    ...content.audio_ads.map((ad) => creative('audio', `audio_ads[${ad.id}]`, ad)),
    ...content.visuals.banners.map((ad) => creative('banner', `visuals.banners[${ad.id}]`, ad)),
  ]
}

/** Every stored file that the creatives of a content refer to, with the path that names it. */
export function filesOf(content: CampaignContent): readonly { readonly path: string; readonly id: string }[] {
  const found: { path: string; id: string | null | undefined }[] = [
    ...content.visuals.banners.map((banner, i) => ({ path: `visuals.banners[${i}].file_id`, id: banner.file_id })),
    ...content.audio_ads.map((track, i) => ({ path: `audio_ads[${i}].fileId`, id: track.fileId })),
    ...(content.dynamic_ad?.images ?? []).map((image, i) => ({ path: `dynamic_ad.images[${i}].file_id`, id: image.file_id })),
    ...(content.dynamic_ad?.logos ?? []).map((image, i) => ({ path: `dynamic_ad.logos[${i}].file_id`, id: image.file_id })),
    ...(content.native_ad?.images ?? []).map((image, i) => ({ path: `native_ad.images[${i}].file_id`, id: image.file_id })),
    { path: 'native_ad.logo.file_id', id: content.native_ad?.logo?.file_id },
    { path: 'native_ad.video.fileId', id: content.native_ad?.video?.fileId },
    { path: 'video_ad.video.file_id', id: content.video_ad?.video?.file_id },
    ...(content.video_ad?.companion_banners ?? []).map((image, i) => ({
      path: `video_ad.companion_banners[${i}].file_id`,
      id: image.file_id,
    })),
  ]
  return found.flatMap(({ path, id }) => (id ? [{ path, id }] : []))
}
