import { fault } from '#contract/http'
import { z } from '#contract/zod'
import { AppError, UNREADABLE } from './app-error.ts'
import { sessionRefusal } from '@/session/identity'
import { notePosition } from './position.ts'

// Older deployments send the code as text or as the word, so the envelope is parsed leniently.
const looseEnvelope = z.object({
  type: z.object({ code: z.union([z.number(), z.string()]), key: z.catch(z.string(), ''), message: z.catch(z.string(), '') }),
  data: z.unknown(),
})
const faultList = z.looseObject({ errors: z.array(fault) })
const withRequestId = z.looseObject({ request_id: z.string() })
const withPosition = z.looseObject({ position: z.string() })

/** The code of "no content": an empty success, never an error (decisions G-002). */
export const NO_CONTENT = 204

/** Empty forms of `data`: for a single object, a list, a page of a list, or some fields. */
const NOTHING: readonly unknown[] = [null, [], { current_page: 0, page_size: 0, total_size: 0, data: [] }, {}]
export const nothingFor = (output: z.ZodMiniType): unknown => NOTHING.find((one) => output.safeParse(one).success)

const isSuccess = (type: { code: number | string; key: string }) =>
  type.code === 0 || type.code === '0' || type.code === 'OK' || type.key.toLowerCase() === 'ok'

/** Returns `data` of a successful envelope, or undefined when there is no content. Throws the refusal otherwise. */
export function readEnvelope(status: number, body: unknown): unknown {
  const parsed = looseEnvelope.safeParse(body)
  if (!parsed.success) throw new AppError({ code: UNREADABLE, key: 'unreadable', message: '', status })
  const { type, data } = parsed.data
  if (Number(type.code) === NO_CONTENT) return undefined
  if (isSuccess(type)) {
    const positioned = withPosition.safeParse(data)
    if (positioned.success) notePosition(positioned.data.position)
    return data
  }
  const faults = faultList.safeParse(data)
  const named = withRequestId.safeParse(data)
  const refusal = new AppError({
    code: Number(type.code),
    key: type.key,
    message: type.message,
    status,
    faults: faults.success ? faults.data.errors : [],
    data,
    requestId: named.success ? named.data.request_id : null,
  })
  throw sessionRefusal(refusal)
}
