import fc from 'fast-check'
import { ENDPOINTS } from '../../api/app.ts'
import { faultsOf, isDryRun, type Added, type Answer, type Asked } from './checks.ts'
import { operationsOf, type Document, type Operation } from './document.ts'
import { makeFixtures } from './files.ts'
import { requestsOf, type Draft } from './request.ts'
import { agent, send } from './send.ts'
import { callersOf, collect, tend, type Caller, type Target, type World } from './world.ts'

export type Fault = { readonly request: number; readonly operation: string; readonly wrong: string; readonly text: string }
type Counts = Readonly<Record<string, Readonly<Record<number, number>>>>
export type Result = {
  readonly requests: number
  /** Answers by call and status. */
  readonly byOperation: Counts
  readonly byStatus: Readonly<Record<number, number>>
  readonly faults: readonly Fault[]
}

type Options = {
  readonly product: Target
  readonly requests: number
  readonly seed: number
  /** Only this request of them, on a product that the others have not touched. */
  readonly only?: number | undefined
  readonly onFault?: (fault: Fault) => void
}

/**
 * Requests of the product's own document, spread evenly over its calls and over everybody who may make them. The same seed makes the same
 * requests, but for ids that the product gives out anew. One at a time: what each of them stored has to be told from the others.
 */
export async function fuzz({ product, requests, seed, only, onFault }: Options): Promise<Result> {
  const document: Document = await (await fetch(`${product.base}/openapi.json`)).json()
  const operations = operationsOf(document, ENDPOINTS)
  const fixtures = await makeFixtures()
  const callers = await callersOf(product)
  const through = agent()
  const faults: Fault[] = []
  const byOperation: Record<string, Record<number, number>> = Object.fromEntries(operations.map(({ id }) => [id, {}]))
  const byStatus: Record<number, number> = {}

  let world: World = await collect(product, fixtures)
  const drafts = new Map(operations.map((one) => [one.id, requestsOf(one, document, () => world, fixtures)]))
  const added = await storage(product)

  async function answered(asked: Asked & Draft, n: number): Promise<Answer | null> {
    const complain = (wrong: string): void => {
      const fault = { request: n, operation: asked.operation.id, wrong, text: described(asked, wrong, seed, n) }
      faults.push(fault)
      onFault?.(fault)
    }
    try {
      const answer = await send(product.base, through, { ...asked, method: asked.operation.method })
      for (const wrong of faultsOf(asked, answer, await added()))
        complain(`${wrong} (${answer.status} ${answer.body.slice(0, 300)})`)
      return answer
    } catch (error) {
      complain(`no answer: ${String(error)}`)
      await added()
      return null
    }
  }

  for (let n = 0; n < requests; n += 1) {
    const operation = operations[n % operations.length]
    const caller = callers[((n % operations.length) + Math.floor(n / operations.length)) % callers.length]
    const arbitrary = drafts.get(operation?.id ?? '')
    if (operation === undefined || caller === undefined || arbitrary === undefined) throw new Error('there is nothing to call')
    if (n % operations.length === 0 && n > 0 && only === undefined) {
      world = await tend(product, fixtures, world)
      await added()
    }
    if (only !== undefined && only !== n) continue
    const [draft] = fc.sample(arbitrary, { seed: seed * 1_000_003 + n, numRuns: 1, unbiased: true })
    if (draft === undefined) throw new Error('nothing was made up')
    const asked = { ...draft, operation, role: caller.role, headers: { ...draft.headers, ...bearer(caller, n) } }
    const answer = await answered(asked, n)
    const status = answer?.status ?? 0
    byStatus[status] = (byStatus[status] ?? 0) + 1
    const counts = byOperation[operation.id] ?? {}
    counts[status] = (counts[status] ?? 0) + 1
  }
  through.destroy()
  return { requests, byOperation, byStatus, faults }
}

/** Nobody comes without a token, and now and then with one that nobody gave out. */
const bearer = ({ token, role }: Caller, n: number): Record<string, string> =>
  role === 'nobody'
    ? n % 3 === 0
      ? { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }
      : {}
    : { authorization: `Bearer ${token}` }

/** Answers what was stored since it was asked last. Policies append in the background; theirs is not counted. */
async function storage(product: Target): Promise<() => Promise<Added>> {
  let head = '0'
  let others = 0
  const ask = async (): Promise<Added> => {
    const [row] = await product.query<{ events: number; head: string; others: number }>(
      `select count(*) filter (where metadata->>'source' <> 'policy')::int as events,
              coalesce(max(position), $1::bigint)::text as head,
              ((select count(*) from app.files) + (select count(*) from app.whitelists)
                + (select count(*) from app.resource_requests))::int as others
       from es.events where position > $1::bigint`,
      [head],
    )
    const added = { events: row?.events ?? 0, others: (row?.others ?? 0) - others }
    head = row?.head ?? head
    others = row?.others ?? others
    return added
  }
  await ask()
  return ask
}

function described(
  { operation, role, url, headers, body }: Asked & Draft & { readonly operation: Operation | Asked['operation'] },
  wrong: string,
  seed: number,
  n: number,
): string {
  const { authorization: _secret, ...shown } = headers
  return [
    `${operation.id} as ${role}: ${wrong}`,
    `  ${operation.method} ${url.slice(0, 500)}${isDryRun(url) ? ' (dry run)' : ''}`,
    `  ${JSON.stringify(shown).slice(0, 500)}`,
    `  ${body === null ? 'no body' : body.toString().slice(0, 500)}`,
    `  again: npm run fuzz -- --seed ${seed} --only ${n}, or --requests ${n + 1} where it takes what came before`,
  ].join('\n')
}
