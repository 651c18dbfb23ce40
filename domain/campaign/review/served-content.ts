import { own } from '#domain/kit/own'
import { isObject, type Json } from '#domain/kit/json-changes'
import type { CampaignContent } from '../content/content.ts'
import { filesOf } from '../content/creatives.ts'
import type { CampaignState } from '../state.ts'
import { REVIEWED_PATHS, SWITCHES, type Reviewed } from './reviewed.ts'

/**
 * The content that serves: approved values of reviewed fields and approved creatives that are still in the head, with the head's free
 * and owner fields (fine print 8). Null while nothing is approved.
 */
export function servedContent({ head, approved }: Pick<CampaignState, 'head' | 'approved'>): CampaignContent | null {
  if (approved === null) return null
  const { fields, switches } = approved.reviewed
  let content: CampaignContent = { ...head, ...creativesIn(head, approved.reviewed) }
  for (const path of REVIEWED_PATHS) content = withValue(content, path.split('.'), fields[path] ?? null) as CampaignContent
  for (const name of SWITCHES) content = { ...content, [name]: head[name] && switches[name] }
  return content
}

/** Ids of the files of the approved content. */
export function reviewedFiles(state: Pick<CampaignState, 'head' | 'approved'>): readonly string[] {
  const content = servedContent(state)
  return content === null ? [] : [...new Set(filesOf(content).map(({ id }) => id))]
}

function withValue(node: Json, [key = '', ...rest]: readonly string[], value: Json): Json {
  if (!isObject(node)) return node
  return { ...node, [key]: rest.length === 0 ? value : withValue(node[key] ?? null, rest, value) }
}

function creativesIn(head: CampaignContent, { creatives }: Reviewed) {
  type Ad = { readonly id: string }
  /** The approved text and media of an advertisement under its present name; null when it was never approved. */
  const approvedOf = <T extends Ad>(ad: T | null): T | null => {
    const creative = ad === null ? undefined : own(creatives, ad.id)
    if (ad === null || creative === undefined || !isObject(creative.material)) return null
    const { kind: _, ...material } = creative.material
    return { ...ad, ...material }
  }
  const all = <T extends Ad>(ads: readonly T[]): readonly T[] => ads.flatMap((ad) => approvedOf(ad) ?? [])
  return {
    dynamic_ad: approvedOf(head.dynamic_ad),
    native_ad: approvedOf(head.native_ad),
    video_ad: approvedOf(head.video_ad),
    audio_ads: all(head.audio_ads),
    visuals: { ...head.visuals, banners: all(head.visuals.banners) },
  }
}
