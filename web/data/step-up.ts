import { stepUpAsked } from '#contract/http'
import type { z } from '#contract/zod'

/** How the user may prove that they are still there, by the server's `data.step_up` (fine print 83). */
export type ProofAsked = z.output<typeof stepUpAsked>['step_up']

type Question = { readonly asked: ProofAsked; readonly answer: (proved: boolean) => void }

const listeners = new Set<() => void>()
let question: Question | null = null
/** One question for all calls that are refused while it is open. */
let asking: Promise<boolean> | null = null

function setQuestion(next: Question | null) {
  question = next
  for (const listener of listeners) listener()
}

/** The question that a dialog over the page shows. */
export const stepUp = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** What is accepted as a proof; null while nothing is asked. */
  asked: (): ProofAsked | null => question?.asked ?? null,
  /** Closes the question: the calls that wait are sent again, or fail. */
  answer: (proved: boolean): void => question?.answer(proved),
}

/** Resolves once the user has proved themself, or with false once they gave up. */
export function askForProof(asked: ProofAsked): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => setQuestion({ asked, answer: resolve })).finally(() => {
    asking = null
    setQuestion(null)
  })
  return asking
}

/** What the refusal of a call accepts as a proof; null for any other answer. Leaves the body unread. */
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
