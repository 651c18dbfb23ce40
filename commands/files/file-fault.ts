import { fault, type SentenceKey } from '#domain/kit/faults'
import type { ErrorCode, Fault } from '#domain/kit/errors'
import { refused, type Refused } from '../refused.ts'

/** Refuses an upload or its parameters, with a sentence that screens can translate by its key. */
export const refusedFile = (path: string, code: ErrorCode, key: SentenceKey, params?: Fault['params']): Refused =>
  refused(code, [fault(path, code, key, params)])
