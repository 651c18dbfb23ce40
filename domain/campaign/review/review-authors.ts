import { CREATIVE_KEYS } from '../content/creatives.ts'
import type { CampaignEvent } from '../events.ts'
import { REVIEWED_PATHS, SWITCHES } from './reviewed.ts'

const REVIEWED: readonly string[] = [...REVIEWED_PATHS, ...SWITCHES, ...CREATIVE_KEYS]

/** True for a path of the change log that a moderator reviews, or one below or above it. */
export const isReviewed = (path: string): boolean =>
  REVIEWED.some((reviewed) => path === reviewed || within(path, reviewed) || within(reviewed, path))
const within = (path: string, above: string): boolean =>
  path.startsWith(above) && (path[above.length] === '.' || path[above.length] === '[')

/**
 * Ids of the authors of content that no moderator has approved yet: of the campaign itself, a reviewed change, or a submission,
 * since the last approval. They may not approve it (fine print 46).
 */
export function reviewAuthors(
  history: readonly { readonly event: CampaignEvent; readonly actor: string }[],
): ReadonlySet<string> {
  const authors = new Set<string>()
  for (const { event, actor } of history) {
    if (event.type === 'CampaignApproved') authors.clear()
    const made = event.type === 'CampaignCreated' || event.type === 'CampaignSubmitted'
    if (made || (event.type === 'CampaignUpdated' && event.data.changes.some(({ path }) => isReviewed(path)))) authors.add(actor)
  }
  return authors
}
