import type { Db } from '#migrations/db'
import type { Eraser } from '#platform/identity/erasure'
import type { FastifyInstance } from 'fastify'
import type { MailName } from '#commands/mail/mail-queue'
import type { MailTemplate } from '#commands/mail/template'
import type { JobPolicy, JobRunner, WorkedKind } from '#commands/jobs/job'
import type { Sweep } from '#commands/sweep'
import type { Endpoint } from '#contract/http'
import type { Core, Http, Own, Served, ServiceName, Wired, WiredForHttp } from './services.ts'

/** A table of the database, but for those of read models and of the log. */
type TableName = Extract<keyof Db, `app.${string}` | `identity.${string}`>

type Declared<K extends ServiceName> = {
  readonly name: string
  /** The area's description in the API's documentation. */
  readonly summary: string
  /** The calls of this area. `register` makes a route of each. */
  readonly endpoints: readonly Endpoint[]
  /** Services that the area takes of everything that is wired. It gets nothing else but what every area has. */
  readonly uses: readonly K[]
  /** Tables that this area alone writes to, in `platform/<subject>`. */
  readonly tables?: readonly TableName[]
  /** Mails of this area, by the names under which they are queued. */
  readonly mails?: { readonly [Name in MailName]?: MailTemplate }
  /** Removes what this area stores about an erased person. */
  readonly erase?: Eraser
  readonly register?: (app: FastifyInstance, own: Served<NoInfer<K>>) => void
  /** Durable jobs of this area, by kind. */
  readonly jobs?: Readonly<Record<string, JobPolicy & { readonly open: (own: Own<NoInfer<K>>) => JobRunner }>>
  /** Sweeps of the policies role. Resources they open are closed through `stops`. */
  readonly policies?: (own: Own<NoInfer<K>>) => Promise<readonly Sweep[]>
  /** Removes expired data. Runs every ten minutes in the process that leads the policies. */
  readonly housekeeping?: (own: Own<NoInfer<K>>) => Promise<unknown>
}

/** One area of the product as a value. `api/areas/index.ts` lists them; no other code refers to an area by name. */
export type Area = Pick<Declared<ServiceName>, 'name' | 'summary' | 'endpoints' | 'uses'> & {
  readonly mails: { readonly [Name in MailName]?: MailTemplate }
  readonly tables: readonly TableName[]
  readonly erase: Eraser
  readonly register: (app: FastifyInstance, all: WiredForHttp) => void
  /** Kinds of its durable jobs. */
  readonly jobKinds: readonly string[]
  readonly jobs: (all: Wired) => readonly WorkedKind[]
  readonly policies: (all: Wired) => Promise<readonly Sweep[]>
  readonly housekeeping: (all: Wired) => Promise<unknown>
}

/** Services that every area has. A record, so that the compiler names one that is forgotten: an area would get none of it. */
const SHARED: Readonly<Record<keyof Core | keyof Http, true>> = {
  config: true,
  logger: true,
  stops: true,
  now: true,
  newId: true,
  derivedId: true,
  guards: true,
}

/** Services of an area that names these. */
function partOf(all: object, uses: readonly ServiceName[]): object {
  const names: ReadonlySet<string> = new Set([...Object.keys(SHARED), ...uses])
  const named = (of: object, prefix: string) => Object.entries(of).filter(([name]) => names.has(prefix + name))
  const { commands = {} } = all as { readonly commands?: object }
  return { ...Object.fromEntries(named(all, '')), commands: Object.fromEntries(named(commands, 'commands.')) }
}

/** An area from its declaration, which gets the services that it names and no others. */
export function area<const K extends ServiceName>(declared: Declared<K>): Area {
  const ownOf = (all: object) => partOf(all, declared.uses)
  return {
    name: declared.name,
    summary: declared.summary,
    endpoints: declared.endpoints,
    uses: declared.uses,
    mails: declared.mails ?? {},
    tables: declared.tables ?? [],
    erase: declared.erase ?? {},
    register: (app, all) => declared.register?.(app, ownOf(all) as Served<K>),
    jobKinds: Object.keys(declared.jobs ?? {}),
    jobs: (all) =>
      Object.entries(declared.jobs ?? {}).map(([kind, { open, ...policy }]) => ({
        kind,
        ...policy,
        ...open(ownOf(all) as Own<K>),
      })),
    policies: async (all) => declared.policies?.(ownOf(all) as Own<K>) ?? [],
    housekeeping: async (all) => declared.housekeeping?.(ownOf(all) as Own<K>),
  }
}
