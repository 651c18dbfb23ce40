import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Campaign, CampaignInput } from '#contract/campaign-body'
import { isFundingShort, leftToSpend } from '#domain/campaign/status/funding'
import { accountQueries } from '@/data/account-queries'
import { useMe } from '@/session/session-queries'

type Question = {
  readonly balance: number
  readonly currency: string
  /** The remaining budget, daily or total. */
  readonly left: number
  readonly total: boolean
  readonly answer: (publish: boolean) => void
}

/** Asks for confirmation before publishing a campaign that its account cannot pay for. */
export function useFundingQuestion(campaign: Campaign | null) {
  const queryClient = useQueryClient()
  const { space_id } = useMe()
  const [question, setQuestion] = useState<Question | null>(null)

  /** True when the balance covers the budget or is unknown, or the user confirms. */
  const mayPublish = async ({ budget }: CampaignInput): Promise<boolean> => {
    if (budget === null || budget === undefined) return true
    const budget_type_key = campaign?.budget_type_key ?? 2
    const spent = { spentToday: campaign?.daily_budget_spent ?? 0, spentTotal: campaign?.budget_spent ?? 0 }
    const left = leftToSpend({ budget, budget_type_key }, spent)
    const account = await queryClient.fetchQuery(accountQueries.balance(campaign?.space_id ?? space_id)).catch(() => null)
    if (account === null || !isFundingShort(account.available, left)) return true
    return new Promise((resolve) =>
      setQuestion({
        balance: account.available,
        currency: account.currency,
        left,
        total: budget_type_key === 1,
        answer: (publish) => {
          setQuestion(null)
          resolve(publish)
        },
      }),
    )
  }
  return { mayPublish, question }
}
