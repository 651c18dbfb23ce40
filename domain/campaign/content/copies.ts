import { DEFAULT_CONTENT, type CampaignContent } from './content.ts'

/** Amounts have a meaning in their currency alone. */
const OF_CURRENCY = ['budget', 'user_cpx', 'cpm', 'cpx', 'fixed_cpm'] as const

type Copy = { readonly content: CampaignContent; /** Paths of what is not copied. */ readonly dropped: readonly string[] }

/** A campaign's content for a replicate in another account (fine print 14): audiences and whitelists stay in their account. */
export function forAnotherAccount(content: CampaignContent, { sameCurrency }: { readonly sameCurrency: boolean }): Copy {
  const { segment_audiences } = DEFAULT_CONTENT.targeting
  const moved = { ...content, targeting: { ...content.targeting, segment_audiences } }
  const dropped = ['targeting.segment_audiences', 'has_whitelist']
  if (sameCurrency) return { content: moved, dropped }
  const { budget, user_cpx, manual_cpx, cpm, cpx, fixed_cpm } = DEFAULT_CONTENT
  return {
    content: { ...moved, budget, user_cpx, manual_cpx, cpm, cpx, fixed_cpm },
    dropped: [...dropped, ...OF_CURRENCY],
  }
}
