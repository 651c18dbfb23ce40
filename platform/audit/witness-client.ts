import type { AskWitness } from '#commands/audit/witnesses'
import { limitedText } from '../outgoing/limited-text.ts'

/** A witness that does not answer for this long counts as away, milliseconds. */
const WITHIN_MS = 10_000
/** Cosignatures of one head: a few lines. */
const MOST_OF_ANSWER = 16_384

/** Posts checkpoints over HTTP. */
export const askWitness: AskWitness = async (url, body, signal) => {
  const response = await fetch(`${url}/add-checkpoint`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]),
  }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new Error('it does not answer', { cause: error })
  })
  return { status: response.status, body: await limitedText(response, MOST_OF_ANSWER) }
}
