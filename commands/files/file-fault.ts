import { SENTENCES, type SentenceKey } from '#domain/campaign/saving/faults'
import type { ErrorCode, Fault } from '#domain/kit/errors'
import { refused, type Refused } from '../refused.ts'

/** Refuses an upload or its parameters, with a sentence that screens can translate by its key. */
export function refusedFile(path: string, code: ErrorCode, key: SentenceKey, params?: Fault['params']): Refused {
  const message = SENTENCES[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params?.[name] ?? ''))
  return refused(code, [{ path, code, message, key, ...(params === undefined ? {} : { params }) }])
}
