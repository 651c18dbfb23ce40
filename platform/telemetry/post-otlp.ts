import { limitedText } from '../outgoing/limited-text.ts'

/** Counts of what was refused, and a reason: a few lines. */
const MOST_OF_ANSWER = 65_536

/** A receiver of OTLP did not take a request. The message holds neither the address nor headers. */
export class NotTaken extends Error {}

/**
 * Sends one request of OTLP/HTTP as JSON, and returns its answer once the receiver has taken it. Follows no redirect.
 * @throws {NotTaken} for any other outcome, also after `withinMs`
 */
export async function postOtlp(
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  request: object,
  withinMs: number,
): Promise<object> {
  let status: number
  let text: string
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(request),
      redirect: 'error',
      signal: AbortSignal.timeout(withinMs),
    })
    status = response.status
    text = await limitedText(response, MOST_OF_ANSWER)
  } catch (error) {
    throw new NotTaken(reasonOf(error), { cause: error })
  }
  if (status < 200 || status > 299) throw new NotTaken(`it answered ${status}`)
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch {
    // Some receivers answer 200 with nothing.
    return {}
  }
}

/** A code such as ECONNREFUSED or a fault of the certificate. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  if (error.name === 'TimeoutError') return 'no answer in time'
  const { cause } = error
  return cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : error.message
}

/** A value of OTLP, as its JSON encoding has it. */
export type OtlpValue = { readonly stringValue: string } | { readonly intValue: number }
export type OtlpAttribute = { readonly key: string; readonly value: OtlpValue }

/** Attributes of a record; null is left out. */
export const otlpAttributes = (record: Readonly<Record<string, string | number | null>>): readonly OtlpAttribute[] =>
  Object.entries(record).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: typeof value === 'string' ? { stringValue: value } : { intValue: value } }],
  )
