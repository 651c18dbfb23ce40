import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from '#proof/replay'
import { SNAPSHOT_DECIDERS } from '#commands/snapshot-faults'
import { createHandler, type Decider, type DomainEvent } from '#commands/handle'
import { readMetadata } from '#domain/kit/event-metadata'
import { verifyStream } from '#proof/verify'
import { decodeAccountEvent, evolve as evolveAccount, initial as initialAccount } from '#domain/account/account'
import { decodeLedgerEvent, evolve as evolveLedger, initial as initialLedger } from '#domain/account/ledger'
import { decodeAudienceEvent, evolve as evolveAudience, initial as initialAudience } from '#domain/audience/audience'
import { DEFAULT_CONTENT, type CampaignContent, type CreativeKind } from '#domain/campaign/content/content'
import { creativesOf } from '#domain/campaign/content/creatives'
import { shape } from '#domain/campaign/content/shape'
import { emptyLogState, logState } from '#domain/campaign/log-state'
import { wholeContent } from '#domain/campaign/content/whole'
import type { CampaignState } from '#domain/campaign/state'
import { decodeInvoiceEvent } from '#domain/invoice/events'
import { evolve as evolveInvoice, initial as initialInvoice } from '#domain/invoice/state'
import { eventDecoder } from '#domain/kit/event-schema'
import { decodeWhiteLabelEvent, evolve as evolveWhiteLabel, initial as initialWhiteLabel } from '#domain/white-label/white-label'
import { decodePaymentEvent, evolve as evolvePayment, initial as initialPayment } from '#domain/payment/payment'
import { decodeRegistrationEvent, evolve as evolveRegistration, initial as initialRegistration } from '#domain/registration/registration'
import { diffJson } from '#domain/kit/json-changes'
import { EVERY_EVENT, schemaVersionOf } from '#domain/every-event'
import type { StoredEvent } from '#eventstore/event-store'
import { revisionsOf } from '#projections/campaign/revisions/apply'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { derivedId, newId } from '#platform/ids'

/**
 * The corpus: every version of every event as it was stored. Stored events never change, byte for byte; a folded state may gain
 * a field. A new type or a raised version adds files, and their lines in SHA256SUMS.
 */
const corpus = fileURLToPath(new URL('.', import.meta.url))
const read = (path: string) => JSON.parse(readFileSync(join(corpus, path), 'utf8'))
const filesUnder = (folder: string): string[] =>
  readdirSync(join(corpus, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => relative(corpus, join(entry.parentPath, entry.name)))
    .sort()

type Golden = { readonly type: string; readonly schema_version: number; readonly data: string; readonly metadata: string }
const storedFrom = (golden: Golden & { readonly id?: string }, stream: string, version: number): StoredEvent => ({
  id: golden.id ?? newId(),
  type: golden.type,
  schemaVersion: golden.schema_version,
  data: golden.data,
  metadata: golden.metadata,
  stream,
  version,
  position: BigInt(version),
})

/** Version of the snapshots of a decider, and a hash of the keys of its states. */
const SHAPES = { account: '3 b62ed3ad45b60feb', campaign: 'da91ef42faf1d320', ledger: '2 c8c30745fe0068cc' }

const decode = eventDecoder(EVERY_EVENT)
const versions = Object.entries(EVERY_EVENT).flatMap(([type, { version }]) =>
  Array.from({ length: version }, (_, before) => ({ type, version: before + 1, path: `events/${type}/v${before + 1}` })),
)

const CREATIVE_KINDS: readonly CreativeKind[] = ['dynamic', 'native', 'video', 'audio', 'banner']

const contentOf = ({ data }: { readonly data: unknown }): CampaignContent =>
  (data as { readonly content: CampaignContent }).content

/** The structure of a value without its leaves. */
function keysOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysOf)
  if (typeof value !== 'object' || value === null) return null
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, keysOf(inner)]))
}

describe('the golden corpus', () => {
  it('contains every version of every event, and no other', () => {
    const wanted = versions.flatMap(({ path }) => [`${path}.decoded.json`, `${path}.json`])
    expect(filesUnder('events')).toEqual(wanted.sort())
  })

  it('the golden corpus is unchanged byte for byte', () => {
    const sums = filesUnder('.').map((path) => {
      const sum = createHash('sha256').update(readFileSync(join(corpus, path)))
      return `${sum.digest('hex')}  ${path}`
    })
    expect(readFileSync(join(corpus, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')).toEqual(sums)
  })

  it.each(versions)('$type of version $version decodes to the value stored beside it', ({ type, version, path }) => {
    const golden: Golden = read(`${path}.json`)
    expect([golden.type, golden.schema_version]).toEqual([type, version])
    expect(decode(storedFrom(golden, 'any-1', 1))).toStrictEqual({ type, data: read(`${path}.decoded.json`) })
    expect(readMetadata(golden.metadata)).toMatchObject({ actor: expect.any(String), revision: expect.any(Number) })
  })

  it.each(versions.filter(({ type }) => type === 'CampaignCreated'))(
    'content of $type, version $version, has the keys that a save stores today once it is whole, in every creative and image',
    ({ path }) => {
      const content = wholeContent(contentOf(decode(storedFrom(read(`${path}.json`), 'any-1', 1))))
      const context = { mayWriteOwnerFields: true, countryOffset: 0, newIds: [], now: '2026-06-01T00:00:00.000Z' }
      const today = shape(DEFAULT_CONTENT, content, context).content
      expect(Object.keys(content).sort()).toEqual(Object.keys(DEFAULT_CONTENT).sort())
      expect(creativesOf(today).map(({ kind }) => kind)).toEqual(expect.arrayContaining([...CREATIVE_KINDS]))
      expect(keysOf(content)).toEqual(keysOf(today))
    },
  )

  it('contains every type of event in a folded life', () => {
    const lives = filesUnder('streams').filter((path) => !path.endsWith('.state.json'))
    const lived = lives.flatMap((path): readonly Golden[] => read(path).events)
    expect([...new Set(lived.map(({ type }) => type))].sort()).toEqual(Object.keys(EVERY_EVENT).sort())
  })

  it.each(['brought-back', 'commented', 'long-life', 'second-look', 'suspended', 'total-budget'])('campaign %s folds to the state stored beside it with a valid chain', (name) => {
    const { stream, events }: { stream: string; events: Golden[] } = read(`streams/${name}.json`)
    const stored = events.map((golden, i) => storedFrom(golden, stream, i + 1))
    const state: CampaignState = read(`streams/${name}.state.json`)
    // Fields that the table has gained since the state was stored have their initial values.
    expect(fold(stored)).toStrictEqual({ ...state, head: wholeContent(state.head) })
    expect(verifyStream(stream, stored).faults).toEqual([])
  })

  it.each(['brought-back', 'commented', 'long-life', 'second-look', 'suspended', 'total-budget'])('the change log of campaign %s is the difference of its states', (name) => {
    const { stream, events }: { stream: string; events: Golden[] } = read(`streams/${name}.json`)
    const stored = events.map((golden, i) => storedFrom(golden, stream, i + 1))
    const revisionOf = ({ metadata }: StoredEvent) => readMetadata(metadata).revision
    const stateAt = (revision: number) => {
      const until = stored.filter((event) => revisionOf(event) <= revision)
      return until.length === 0 ? emptyLogState() : logState(fold(until))
    }
    const revisions = [...new Set(stored.map(revisionOf))]
    const differences = revisions.map((revision) => ({
      revision,
      changes: diffJson(stateAt(revision - 1), stateAt(revision)),
    }))
    expect(revisionsOf(stored)).toMatchObject(differences)
  })

  it.each(['account', 'card-account', 'charged-account', 'noticed-account', 'paying-account', 'people-account', 'refunded-account', 'renamed-account', 'rights-account', 'suspended-account', 'taxed-account'])('the %s folds to the state stored beside it with a valid chain', (name) => {
    const { stream, events }: { stream: string; events: Golden[] } = read(`streams/${name}.json`)
    const stored = events.map((golden, i) => storedFrom(golden, stream, i + 1))
    const state = stored.map(decodeAccountEvent).reduce(evolveAccount, initialAccount)
    expect(state).toStrictEqual(read(`streams/${name}.state.json`))
    expect(verifyStream(stream, stored).faults).toEqual([])
  })

  it('a ledger folds to the state stored beside it with a valid chain', () => {
    const { stream, events }: { stream: string; events: Golden[] } = read('streams/ledger.json')
    const stored = events.map((golden, i) => storedFrom(golden, stream, i + 1))
    expect(stored.map(decodeLedgerEvent).reduce(evolveLedger, initialLedger)).toStrictEqual(read('streams/ledger.state.json'))
    expect(verifyStream(stream, stored).faults).toEqual([])
  })

  it.each(['credit-note', 'deleted-invoice', 'invoice', 'restored-invoice', 'taxed-credit-note', 'taxed-invoice', 'void-invoice'])('the %s folds to the state stored beside it with a valid chain', (name) => {
    const { stream, events }: { stream: string; events: Golden[] } = read(`streams/${name}.json`)
    const stored = events.map((golden, i) => storedFrom(golden, stream, i + 1))
    const state = stored.reduce(
      (folded, one) => evolveInvoice(folded, decodeInvoiceEvent(one), readMetadata(one.metadata)),
      initialInvoice,
    )
    expect(state).toStrictEqual(read(`streams/${name}.state.json`))
    expect(verifyStream(stream, stored).faults).toEqual([])
  })

  it.each(['invoicing-white-label', 'white-label'])('the %s folds to the state stored beside it with a valid chain', (name) => {
    const { stream, events }: { stream: string; events: Golden[] } = read(`streams/${name}.json`)
    const stored = events.map((golden, i) => storedFrom(golden, stream, i + 1))
    const state = stored.map(decodeWhiteLabelEvent).reduce(evolveWhiteLabel, initialWhiteLabel)
    expect(state).toStrictEqual(read(`streams/${name}.state.json`))
    expect(verifyStream(stream, stored).faults).toEqual([])
  })

  it.each(['opened-payment', 'payment'])('the %s folds to the state stored beside it with a valid chain', (name) => {
    const { stream, events }: { stream: string; events: Golden[] } = read(`streams/${name}.json`)
    const stored = events.map((golden, i) => storedFrom(golden, stream, i + 1))
    const state = stored.map(decodePaymentEvent).reduce(evolvePayment, initialPayment)
    expect(state).toStrictEqual(read(`streams/${name}.state.json`))
    expect(verifyStream(stream, stored).faults).toEqual([])
  })

  it('a registration folds to the state stored beside it with a valid chain', () => {
    const { stream, events }: { stream: string; events: Golden[] } = read('streams/registration.json')
    const stored = events.map((golden, i) => storedFrom(golden, stream, i + 1))
    const state = stored.map(decodeRegistrationEvent).reduce(evolveRegistration, initialRegistration)
    expect(state).toStrictEqual(read('streams/registration.state.json'))
    expect(verifyStream(stream, stored).faults).toEqual([])
  })

  it('an audience folds to the state stored beside it with a valid chain', () => {
    const { stream, events }: { stream: string; events: Golden[] } = read('streams/audience.json')
    const stored = events.map((golden, i) => storedFrom(golden, stream, i + 1))
    const state = stored.map(decodeAudienceEvent).reduce(evolveAudience, initialAudience)
    expect(state).toStrictEqual(read('streams/audience.state.json'))
    expect(verifyStream(stream, stored).faults).toEqual([])
  })
})

it('a state whose shape changes raises the version of its snapshots', () => {
  const shapes = SNAPSHOT_DECIDERS.map(({ fold: foldAny, snapshot }) => {
    const name = snapshot?.name ?? ''
    const states = filesUnder('streams')
      .filter((path) => !path.endsWith('.state.json'))
      .map((path): { readonly stream: string; readonly events: readonly Golden[] } => read(path))
      .filter(({ stream }) => stream.startsWith(`${name}-`))
      .map(({ stream, events }) => foldAny(events.map((golden, i) => storedFrom(golden, stream, i + 1))))
    expect(states.length).toBeGreaterThan(0)
    // JSON holds every state.
    for (const state of states) expect(JSON.parse(JSON.stringify(state))).toStrictEqual(state)
    const keys = [...new Set(states.flatMap((state) => Object.keys(state)))].toSorted()
    // The version of campaigns is raised by every new field.
    const version = name === 'campaign' ? '' : `${snapshot?.version} `
    return [name, version + createHash('sha256').update(keys.join()).digest('hex').slice(0, 16)]
  })
  // Where a hash differs, raise the version of that decider's snapshots, and write both here.
  expect(Object.fromEntries(shapes)).toEqual(SHAPES)
})

/** Accepts every event, so that the output of the handler is stored. */
const anything: Decider<null, DomainEvent> = { fold: () => null, evolve: () => null, read: decode }
const somethingThatHappened = fc.record({
  type: fc.constantFrom(...Object.keys(EVERY_EVENT)),
  data: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
})

it('every event of the handler has the newest version and is read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(somethingThatHappened, { minLength: 1, maxLength: 5 }), async (events) => {
      const store = createMemoryEventStore()
      const handle = createHandler({
        store,
        now: () => '2026-06-01T00:00:00.000Z',
        eventId: (commandId, n) => derivedId('event', commandId, String(n)),
      })
      const context = {
        actor: 'ada',
        role: 'USER_OWNER',
        on_behalf_of: null,
        source: 'api',
        command_id: newId(),
        body_hash: null,
        correlation: 'c',
        causation: null,
      } as const
      await handle(anything, { stream: 'any-1', context, decide: async () => ({ kind: 'events', events }) })
      const stored = await store.readStream('any-1')
      expect(stored.map(({ schemaVersion }) => schemaVersion)).toEqual(events.map(({ type }) => schemaVersionOf(type)))
      expect(stored.map(decode)).toEqual(JSON.parse(JSON.stringify(events)))
      expect(verifyStream('any-1', stored).faults).toEqual([])
    }),
    { numRuns: 200 },
  )
})
