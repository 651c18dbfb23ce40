import type { CampaignContent } from '../content/content.ts'

type Budget = Pick<CampaignContent, 'budget' | 'budget_type_key'>
type Spent = { readonly spentToday: number; readonly spentTotal: number }

/** Remaining budget of a campaign, daily or total. All amounts are in the same unit. */
export const leftToSpend = ({ budget, budget_type_key }: Budget, { spentToday, spentTotal }: Spent): number =>
  Math.max(0, (budget ?? 0) - (budget_type_key === 1 ? spentTotal : spentToday))

/** True when a balance does not cover the remaining budget (fine print 12). */
export const isFundingShort = (available: number, left: number): boolean => available <= 0 || available < left
