import { stepUpAsked } from '#contract/http'
import type { z } from '#contract/zod'
import { createQuestion } from '@/lib/question'

/** How the user may prove that they are still there, by the server's `data.step_up` (fine print 83). */
export type ProofAsked = z.output<typeof stepUpAsked>['step_up']

/** Resolves with true once the user has proved themself, so that the calls that wait are sent again, and with false once they gave up. */
export const stepUp = createQuestion<ProofAsked, boolean>()

/** Proofs that the refusal of a call accepts; null for any other answer. Leaves the body unread. */
export async function proofAskedIn(response: Response): Promise<ProofAsked | null> {
  if (response.status !== 401) return null
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : null
  const found = stepUpAsked.safeParse(data)
  return found.success ? found.data.step_up : null
}
