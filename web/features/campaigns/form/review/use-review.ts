import { useState } from 'react'
import type { CampaignInput } from '#contract/campaign-body'
import type { DryRun } from '#contract/campaign-answers'
import type { CampaignFormValues } from '../form-schema.ts'
import { tryPublishing } from '../use-campaign-save.ts'

export type Review = {
  readonly body: CampaignInput
  readonly values: CampaignFormValues
  /** Effects by the server; null when it did not say. */
  readonly trial: DryRun | null
  readonly answer: (publish: boolean) => void
}

/** Shows what would be published, and waits for the answer. */
export function useReview() {
  const [review, setReview] = useState<Review | null>(null)
  const [checking, setChecking] = useState(false)

  /** True when the user confirms, or there is nothing to publish. Throws what forbids publishing. */
  const mayPublish = async (body: CampaignInput, values: CampaignFormValues): Promise<boolean> => {
    setChecking(true)
    const trial = await tryPublishing(body).finally(() => setChecking(false))
    if (trial?.events.length === 0) return true
    return new Promise((resolve) =>
      setReview({
        body,
        values,
        trial,
        answer: (publish) => {
          setReview(null)
          resolve(publish)
        },
      }),
    )
  }
  return { mayPublish, review, checking }
}
