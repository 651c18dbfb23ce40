import type { Endpoint } from '#contract/http'
import type { z } from '#contract/zod'
import { readEnvelope } from './answer.ts'
import { AppError, OFFLINE, UNREADABLE } from './app-error.ts'
import { authHeaders, renew, urlOf } from './client.ts'
import { notePosition } from './position.ts'
import { isStale } from '@/session/token-store'
import { now } from '@/lib/clock'

type Upload<E extends Endpoint> = {
  readonly params?: z.input<E['params']>
  readonly query?: z.input<E['query']>
  /** Additional form fields, by name. */
  readonly fields?: Readonly<Record<string, string>>
  readonly file: File
  readonly onProgress: (fraction: number) => void
  readonly signal?: AbortSignal
}

/** Sends one file as multipart field `file`. Uses XMLHttpRequest, because fetch cannot report upload progress. */
export async function upload<E extends Endpoint>(endpoint: E, input: Upload<E>): Promise<z.output<E['output']>> {
  if (isStale(now())) await renew()
  const url = urlOf(endpoint.path, input.params, input.query)
  let answer = await transfer(endpoint.method, url, input)
  if (answer.status === 401) {
    await renew()
    answer = await transfer(endpoint.method, url, input)
  }
  const output = endpoint.output.safeParse(readEnvelope(answer.status, answer.body))
  if (!output.success) throw new AppError({ code: UNREADABLE, key: 'unreadable', message: '', status: answer.status })
  return output.data as z.output<E['output']>
}

function transfer(
  method: string,
  url: string,
  { fields = {}, file, onProgress, signal }: Omit<Upload<Endpoint>, 'params' | 'query'>,
) {
  return new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open(method, url)
    authHeaders(false).forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total)
    })
    request.addEventListener('load', () => {
      notePosition(request.getResponseHeader('X-Position'))
      resolve({ status: request.status, body: parsed(request.responseText) })
    })
    request.addEventListener('error', () => reject(new AppError({ code: OFFLINE, key: 'offline', message: '', status: 0 })))
    request.addEventListener('abort', () => reject(new DOMException('Upload stopped', 'AbortError')))
    signal?.addEventListener('abort', () => request.abort())
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', file)
    request.send(form)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
