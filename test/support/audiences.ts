import { randomUUID } from 'node:crypto'
import { SMALLEST_SERVED } from '#domain/audience/audience'
import type { AudienceDetails } from '#contract/audiences'
import { eventually, type Session } from './product.ts'

/** A list of these rows and as many devices as it takes to be served. */
export const servedList = (...rows: readonly string[]): string =>
  [...rows, ...Array.from({ length: SMALLEST_SERVED - rows.length }, () => randomUUID())].join('\n')

export type UploadFields = Readonly<Record<string, string>>

/** Uploads a file as the form of the screen does; `after` are fields behind the file. */
export async function uploadAudience(
  base: string,
  by: Session,
  content: string | Uint8Array,
  fields: UploadFields,
  {
    after = {},
    headers = {},
    query = '',
  }: { readonly after?: UploadFields; readonly headers?: Readonly<Record<string, string>>; readonly query?: string } = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), 'audience.csv')
  for (const [name, value] of Object.entries(after)) form.append(name, value)
  const response = await fetch(`${base}/v1/segment-audience/upload${query}`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${by.token}`, ...headers },
  })
  const { type, data } = await response.json()
  return { status: response.status, code: type.code, message: type.message, data }
}

export const audienceOf = async (by: Session, id: string): Promise<AudienceDetails> =>
  (await by.call<AudienceDetails>('GET', `/v1/segment-audience/${id}`)).data

/** The audience once nothing of it is processed any longer. */
export const settledAudience = (by: Session, id: string): Promise<AudienceDetails> =>
  eventually(
    () => audienceOf(by, id),
    (found) => found.status_key !== 1,
  )
