import fc from 'fast-check'
import { ENDPOINTS } from '#api/areas/index'
import { afterwards } from './afterwards.ts'
import { admits, faultsOf, repeatFaults, type Answer, type Asked } from './checks.ts'
import { operationsOf, type Document, type Operation } from './document.ts'
import { makeFixtures } from './files.ts'
import { requestsOf, type Draft } from './request.ts'
import { agent, send } from './send.ts'
import { storage } from './storage.ts'
import { callersOf, collect, tend, type Caller, type Target, type World } from './world.ts'

export type Fault = { readonly request: number; readonly operation: string; readonly text: string }
export type Result = {
  readonly requests: number
  /** Answers by call and status. */
  readonly byOperation: Readonly<Record<string, Readonly<Record<number, number>>>>
  readonly byStatus: Readonly<Record<number, number>>
  readonly faults: readonly Fault[]
}

type Options = {
  readonly product: Target
  readonly requests: number
  readonly seed: number
  /** Sends only this request, on a fresh product. */
  readonly only?: number | undefined
  /** Only calls whose id begins so, by roles that may make them: for longer tests of these calls. */
  readonly calls?: string | undefined
  /** Calls that no random request can make succeed. The others get further requests until one does. */
  readonly unreachable?: readonly string[]
  readonly onFault?: (fault: Fault) => void
}

/** Interval, in requests, at which consumed state is restored. */
const TEND_EVERY = 60

/** Most further requests, to calls that were always refused. */
const FURTHER = 1500

/** Calls of services have one caller who may make them: it makes a third of them. */
const often = <T>(caller: T): readonly T[] => Array.from({ length: 4 }, () => caller)

/**
 * Sends requests generated from the OpenAPI document, spread evenly over its calls and over all callers. The same seed gives
 * the same requests, except for ids created by the product. Sequential, since the storage of each request must be attributed to
 * it.
 */
export async function fuzz({ product, requests, seed, only, calls = '', unreachable = [], onFault }: Options): Promise<Result> {
  const document: Document = await (await fetch(`${product.base}/openapi.json`)).json()
  const operations = operationsOf(document, ENDPOINTS).filter(({ id }) => id.startsWith(calls))
  const fixtures = await makeFixtures()
  const everybody = await callersOf(product)
  const callers = ({ endpoint }: Operation): readonly Caller[] =>
    calls === ''
      ? [...everybody, ...everybody.filter(({ role }) => role === 'service' && endpoint.access === 'service').flatMap(often)]
      : everybody.filter(({ role }) => admits(endpoint.access, role, endpoint.alsoFor))
  const through = agent()
  const faults: Fault[] = []
  const byOperation: Record<string, Record<number, number>> = Object.fromEntries(operations.map(({ id }) => [id, {}]))
  const byStatus: Record<number, number> = {}

  let world: World = await collect(product, fixtures)
  const drafts = new Map(operations.map((one) => [one.id, requestsOf(one, document, () => world, fixtures)]))
  const added = await storage(product)

  const complain = (request: number, operation: string, text: string): void => {
    const fault = { request, operation, text }
    faults.push(fault)
    onFault?.(fault)
  }

  /** Sends the request, and repeats it when it has an idempotency key. */
  async function made(asked: Asked & Draft, n: number): Promise<number> {
    const { operation } = asked
    const again = `npm run fuzz -- --seed ${seed}${calls === '' ? '' : ` --calls ${calls}`} --only ${n}`
    const report = (answer: Answer, wrongs: readonly string[]): void => {
      for (const wrong of wrongs) complain(n, operation.id, described(asked, answer, wrong, again))
    }
    try {
      const answer = await send(product.base, through, { ...asked, method: operation.method })
      report(answer, faultsOf(asked, answer, await added()))
      // A blank key is no key: whitespace around a header value is ignored.
      if (operation.endpoint.command !== true || !asked.headers['idempotency-key']?.trim()) return answer.status
      const second = await send(product.base, through, { ...asked, method: operation.method })
      report(second, repeatFaults(asked, answer, second, await added()))
      return answer.status
    } catch (error) {
      report({ status: 0, headers: {}, body: '' }, [String(error)])
      await added()
      return 0
    }
  }

  /** Calls without a success so far. */
  const refusedOnly = () =>
    operations.filter(
      ({ id }) => !unreachable.includes(id) && !Object.keys(byOperation[id] ?? {}).some((status) => Number(status) < 400),
    )
  if (operations.length === 0) throw new Error(`no call begins with ${calls}`)
  for (let n = only ?? 0; n < requests + (calls === '' && only === undefined ? FURTHER : 0); n += 1) {
    const turns = n < requests ? operations : refusedOnly()
    const operation = turns[n % turns.length]
    if (operation === undefined) break
    const able = callers(operation)
    const caller = able[((n % operations.length) + Math.floor(n / operations.length)) % able.length]
    const arbitrary = drafts.get(operation.id)
    if (caller === undefined || arbitrary === undefined) throw new Error(`there is no caller or schema for ${operation.id}`)
    if (n % TEND_EVERY === 0) {
      world = await tend(product, fixtures, world)
      await added()
    }
    const [draft] = fc.sample(arbitrary, { seed: seed * 1_000_003 + n, numRuns: 1, unbiased: true })
    if (draft === undefined) throw new Error('nothing was made up')
    const status = await made({ ...draft, operation, role: caller.role, headers: { ...draft.headers, ...bearer(caller, n) } }, n)
    byStatus[status] = (byStatus[status] ?? 0) + 1
    const counts = byOperation[operation.id] ?? {}
    counts[status] = (counts[status] ?? 0) + 1
  }
  through.destroy()
  for (const wrong of await afterwards(product)) complain(requests, 'afterwards', `afterwards: ${wrong}`)
  return { requests, byOperation, byStatus, faults }
}

/** Anonymous callers send no token, or sometimes a forged one. */
function bearer({ token, role }: Caller, n: number): Record<string, string> {
  if (role !== 'anonymous') return { authorization: `Bearer ${token}` }
  return n % 3 === 0 ? { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' } : {}
}

function described({ operation, role, url, headers, body }: Asked & Draft, answer: Answer, wrong: string, again: string): string {
  const { authorization: _secret, ...shown } = headers
  return [
    `${operation.id} as ${role}: ${wrong}`,
    `  ${operation.method} ${url.slice(0, 500)}`,
    `  ${JSON.stringify(shown).slice(0, 500)}`,
    `  ${body === null ? 'no body' : body.toString().slice(0, 500)}`,
    `  answer: ${answer.status} ${answer.body.slice(0, 300)}`,
    `  again: ${again}; without --only, and with --requests one more than that, where it takes what came before`,
  ].join('\n')
}
