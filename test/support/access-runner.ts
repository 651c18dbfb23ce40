import { ENDPOINTS } from '#api/areas/index'
import type { FileName, MatrixCall, Sent } from './access-calls.ts'
import type { Persona, SpaceKey } from './access-table.ts'
import { mp3 } from './media/mp3.ts'
import { mp4 } from './media/mp4.ts'
import { png } from './product.ts'
import type { World } from './two-white-labels.ts'

export type Received = { readonly status: number; readonly code: number; readonly body: unknown }
export type Cell = { readonly persona: Persona; readonly call: MatrixCall; readonly space: SpaceKey }
export type Content = Readonly<Record<FileName, Buffer>>

/** Codes of an allowed call: success, or refused because of the state of the campaign, such as held by another moderator. */
export const REACHED = [0, 134, 135, 136, 143, 162, 163, 184]

export const titleOf = ({ persona, call, space }: Cell): string =>
  `${persona.name}: ${call.endpoint}${call.way === undefined ? '' : ` (${call.way})`} in ${space}`

/** A valid file for each upload. */
export async function makeContent(): Promise<Content> {
  return {
    banner: await png(300, 250),
    square: await png(128, 128),
    track: mp3({ seconds: 20 }),
    film: mp4({ width: 640, height: 360, seconds: 2 }),
    list: Buffer.from('news.example\n'),
  }
}

let sent = 0
/** Makes the call of a cell; creates what it needs before and removes it afterwards. */
export async function run(world: World, content: Content, { persona, call, space }: Cell): Promise<Received> {
  const target = world.targets[space]
  const mark =
    call.credential === true
      ? await world.newCredential(target)
      : call.webhook === true
        ? await world.newWebhook(target)
        : `m${(sent += 1)}`
  const owner = call.of && ({ kind: call.of, id: call.of === 'space' ? target.spaceId : target.campaignId } as const)
  if (owner && call.list === 'removed')
    await world.whitelists.add({ ...owner, spaceId: target.spaceId }, mark, content.list, target.userId)
  const received = await ask(world, content, persona, call, call.send(target, mark, world.targets[persona.home]))
  if (owner) await world.whitelists.remove(owner, mark)
  return received
}

async function ask(world: World, content: Content, persona: Persona, call: MatrixCall, request: Sent): Promise<Received> {
  const endpoint = ENDPOINTS.find(({ id }) => id === call.endpoint)
  if (endpoint === undefined) throw new Error(`there is no endpoint ${call.endpoint}`)
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(request.params?.[name] ?? ''))
  const query = new URLSearchParams(request.query).toString()
  const type = request.json === undefined ? (request.text === undefined ? null : 'text/plain') : 'application/json'
  const body = request.form === undefined ? (request.text ?? jsonOf(request.json)) : formOf(request.form, content)
  const token = world.sessions[persona.name]?.token ?? ''
  const response = await fetch(`${world.product.base}${path}${query === '' ? '' : `?${query}`}`, {
    method: endpoint.method,
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(type === null ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body }),
  })
  return receivedOf(response)
}

const jsonOf = (json: unknown): string | undefined => (json === undefined ? undefined : JSON.stringify(json))

function formOf({ name, file }: NonNullable<Sent['form']>, content: Content): FormData {
  const form = new FormData()
  if (name !== undefined) form.append('name', name)
  form.append('file', new Blob([new Uint8Array(content[file])]), file)
  return form
}

/** Files have no envelope, and a decision about several campaigns has a result for each. */
async function receivedOf(response: Response): Promise<Received> {
  const { status } = response
  const text = await response.text()
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return { status, code: 0, body: text }
  const body: { type: { code: number }; data: { results?: { code: number }[] } | null } = JSON.parse(text)
  const one = body.data?.results?.[0]?.code
  return one === 130 ? { status: 404, code: one, body } : { status, code: one || body.type.code, body }
}

/** Runs all tasks, a few at a time. */
export async function each<T, R>(all: readonly T[], work: (one: T) => Promise<R>, lanes = 8): Promise<readonly R[]> {
  const results: R[] = []
  const queue = [...all.entries()]
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results[next[0]] = await work(next[1])
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}

/** Every key of an object at any depth, and every field that a change names. */
export function keysIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner), ...(key === 'path' ? [firstOf(inner)] : [])])
}
const firstOf = (path: unknown): string => String(path).split(/[.[]/, 1)[0] ?? ''
