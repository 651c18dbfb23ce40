import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createLogTree } from '#commands/audit/log-tree'
import type { LogHeadStore, LogTreeStore } from '#commands/audit/log-port'
import { verifyHeads } from '#commands/audit/verify-heads'
import { verifyLog, verifyTiles, type LogFault } from '#commands/audit/verify-log'
import type { EventStore, StoredEvent } from '#eventstore/event-store'
import { scanByPages } from '#eventstore/scan'
import { unsealed, GENESIS } from '#proof/hash-chain'
import { HASH_BYTES } from '#proof/log/merkle'
import { verifyExport } from '#proof/offline/verify-export'
import { filledLog, NO_FILTERS, resealed, streamOfText, type MemoryLog } from '../support/memory-log.ts'
import { limit, runs } from '../support/properties.ts'

/** More than a tile, so that the tree has two levels. */
const EVENTS = 300

let log: MemoryLog
let events: readonly StoredEvent[]
beforeAll(async () => {
  log = await filledLog(EVENTS / 2)
  await log.signNow()
  for (let i = 0; i < EVENTS / 2; i++) await log.append(`account-${i % 11}`, 'Noted', { i })
  await log.signNow()
  events = (await log.store.readAll(0n, EVENTS)).events
})

/** A store with these events, whatever their order and bytes. */
function storeOf(given: readonly StoredEvent[]): Pick<EventStore, 'head' | 'readAll' | 'readStream' | 'scan'> {
  const readAll = async (after: bigint, most: number) => {
    const page = given.filter(({ position }) => position > after).slice(0, most)
    return { events: page, upTo: page.at(-1)?.position ?? after }
  }
  return {
    head: async () => given.at(-1)?.position ?? 0n,
    readAll,
    scan: (after) => scanByPages((from) => readAll(from, 40), after),
    readStream: async (stream, after = 0, most = Infinity) =>
      given.filter((event) => event.stream === stream && event.version > after && event.version <= after + most),
  }
}

type Seen = {
  readonly events?: readonly StoredEvent[]
  readonly tree?: Partial<LogTreeStore>
  readonly heads?: Partial<LogHeadStore>
  readonly after?: bigint
}

async function faultsOf({ events: given = events, tree: otherTree = {}, heads: otherHeads = {}, after = 0n }: Seen) {
  const [tree, heads] = [
    { ...log.tree, ...otherTree },
    { ...log.heads, ...otherHeads },
  ]
  const store = storeOf(given)
  const found: LogFault[] = []
  for await (const fault of verifyLog({ store, tree }, after)) found.push(fault)
  for await (const fault of verifyTiles(tree)) found.push(fault)
  for await (const fault of verifyHeads({ heads, tree, log: createLogTree({ store, tree }), witnesses: [] })) found.push(fault)
  return found
}

const names = (fault: LogFault, { id, stream, version }: StoredEvent): boolean =>
  fault.event_id === id || (fault.stream === stream && fault.version === version)

/** The events with positions in order again. */
const inPlace = (given: readonly StoredEvent[]) => given.toSorted((a, b) => Number(a.position - b.position))

/** The events with another one in the place of one, and its stream sealed again from there on, as a forger would do. */
function rewritten(given: readonly StoredEvent[], at: number, other: StoredEvent): readonly StoredEvent[] {
  const result = [...given]
  let previous = hashBefore(given, other)
  for (let i = at; i < result.length; i++) {
    const event = i === at ? other : result[i]
    if (event === undefined || event.stream !== other.stream) continue
    const next = resealed(event, previous)
    result[i] = next
    previous = unsealed(next.metadata)?.hash ?? previous
  }
  return result
}
const hashBefore = (given: readonly StoredEvent[], { stream, version }: StoredEvent): string =>
  unsealed(given.find((event) => event.stream === stream && event.version === version - 1)?.metadata ?? '')?.hash ?? GENESIS

type Forged = { readonly events: readonly StoredEvent[]; readonly named: readonly StoredEvent[] }
const FORGERIES: Readonly<Record<string, (at: number, other: number) => Forged>> = {
  'changes its data': (at) => change(at, (event) => ({ ...event, data: `${event.data.slice(0, -1)},"x":1}` })),
  'changes its type': (at) => change(at, (event) => ({ ...event, type: `${event.type}d` })),
  'changes its schema version': (at) => change(at, (event) => ({ ...event, schemaVersion: 2 })),
  'changes its id': (at) =>
    change(at, (event) => ({ ...event, id: event.id.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) })),
  'changes its author': (at) =>
    change(at, (event) => ({ ...event, metadata: event.metadata.replace('"actor":"', '"actor":"x') })),
  'changes its data, and seals its stream again': (at) => {
    const event = eventAt(at)
    const other = { ...event, data: '{"note":"forged"}' }
    return { events: rewritten(events, at, other), named: [event] }
  },
  'removes it': (at) => ({ events: events.toSpliced(at, 1), named: [eventAt(at)] }),
  'removes it, and numbers and seals its stream again': (at) => {
    const gone = eventAt(at)
    const rest = events
      .toSpliced(at, 1)
      .map((event) =>
        event.stream === gone.stream && event.version > gone.version ? { ...event, version: event.version - 1 } : event,
      )
    const next = rest.findIndex(({ stream, version }) => stream === gone.stream && version === gone.version)
    return { events: next === -1 ? rest : rewritten(rest, next, rest[next] ?? gone), named: [gone] }
  },
  'swaps it with another': (at, other) => {
    const [a, b] = [eventAt(at), eventAt(other === at ? (at + 1) % EVENTS : other)]
    const swapped = events.map((event) =>
      event === a ? { ...a, position: b.position } : event === b ? { ...b, position: a.position } : event,
    )
    return { events: inPlace(swapped), named: [a, b] }
  },
  'adds one before it': (at) => {
    const event = eventAt(at)
    const added = { ...event, id: event.id.replaceAll(/[0-9]/g, '9'), position: event.position, data: '{"note":"added"}' }
    const later = events.map((one) => (one.position >= event.position ? { ...one, position: one.position + 1n } : one))
    return { events: later.toSpliced(at, 0, added), named: [added] }
  },
  'cuts everything from it on': (at) => ({ events: events.slice(0, at), named: [eventAt(at)] }),
}

function eventAt(at: number): StoredEvent {
  const event = events[at]
  if (event === undefined) throw new Error(`there is no event ${at}`)
  return event
}
function change(at: number, changed: (event: StoredEvent) => StoredEvent): Forged {
  return { events: events.with(at, changed(eventAt(at))), named: [eventAt(at)] }
}

const place = fc.nat(EVENTS - 1)
const kinds = Object.keys(FORGERIES)

describe('a forgery of the log', () => {
  it('an unaltered log has no forgery', async () => {
    expect(await faultsOf({})).toEqual([])
    for (const after of [1n, 39n, 40n, 150n, 299n, 300n]) expect(await faultsOf({ after })).toEqual([])
  })

  // covers FP-23
  it(
    'a forgery of the log is found and named, whatever is changed, removed, swapped, added or cut',
    async () => {
      const tried = new Set<string>()
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...kinds), place, place, async (kind, at, other) => {
          const forge = FORGERIES[kind]
          if (forge === undefined) return
          const { events: forged, named } = forge(at, other)
          const faults = await faultsOf({ events: forged })
          for (const event of named)
            if (!faults.some((fault) => names(fault, event)))
              throw new Error(
                `${kind}: ${event.stream} version ${event.version} is not named: ${JSON.stringify(faults.slice(0, 5))}`,
              )
          tried.add(kind)
        }),
        { numRuns: runs(500) },
      )
      expect([...tried].sort()).toEqual([...kinds].sort())
    },
    limit(),
  )

  it(
    'a forgery of the log is found in every tile and every head',
    async () => {
      const flipped = (bytes: Buffer, at: number) => {
        const copy = Buffer.from(bytes)
        copy[at % copy.length] = (copy[at % copy.length] ?? 0) ^ 1
        return copy
      }
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('tile', 'cut', 'index', 'root', 'note', 'size'),
          fc.nat(),
          place,
          async (kind, byte, leaf) => {
            const addresses = [
              { level: 0, index: 0 },
              { level: 0, index: 1 },
              { level: 1, index: 0 },
            ]
            const chosen = addresses[byte % 3]
            const tiles: LogTreeStore['tiles'] = async (asked) =>
              (await log.tree.tiles(asked)).map((tile) =>
                tile.level !== chosen?.level || tile.index !== chosen.index
                  ? tile
                  : { ...tile, hashes: kind === 'cut' ? tile.hashes.subarray(HASH_BYTES) : flipped(tile.hashes, byte) },
              )
            const indexesOf: LogTreeStore['indexesOf'] = async (ids) =>
              (await log.tree.indexesOf(ids)).map((index) => (index === leaf ? (leaf + 1 + (byte % 7)) % EVENTS : index))
            const listed: LogHeadStore['listed'] = async (after, most) =>
              (await log.heads.listed(after, most)).map((head, i) => {
                if (i !== byte % 2) return head
                if (kind === 'root') return { ...head, root: flipped(head.root, byte) }
                if (kind === 'size') return { ...head, size: head.size + 1 }
                const text = Buffer.from(head.note)
                const at = byte % text.length
                text[at] = text[at] === 65 ? 66 : 65
                return { ...head, note: text.toString() }
              })
            const seen: Seen =
              kind === 'tile' || kind === 'cut'
                ? { tree: { tiles } }
                : kind === 'index'
                  ? { tree: { indexesOf } }
                  : { heads: { listed } }
            const faults = await faultsOf(seen)
            const expected =
              kind === 'tile' || kind === 'cut' || kind === 'index' ? /tile|leaf|place|leaves/ : /^the head of size/
            if (!faults.some(({ message }) => expected.test(message)))
              throw new Error(`${kind} ${byte}: ${JSON.stringify(faults.slice(0, 5))}`)
          },
        ),
        { numRuns: runs(250) },
      )
    },
    limit(),
  )
})

describe('a forgery of an export', () => {
  it(
    'a forgery of an export is found at any byte, and at any line that is removed, repeated, moved or cut',
    async () => {
      const small = await filledLog(40)
      const files = await Promise.all([
        small.exported(),
        small.exported({ after: 7n, limit: 20 }),
        small.exported({ filters: { ...NO_FILTERS, white_label: 'w1' } }),
        small.exported({ filters: { ...NO_FILTERS, actor: 'bob' }, personal: true }),
      ])
      const valid = async (text: string | Buffer) => (await verifyExport(streamOfText(text, 65_536), [small.key])).valid
      const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
      for (const lines of files) expect(await valid(textOf(lines))).toBe(true)
      await fc.assert(
        fc.asyncProperty(
          fc.nat(3),
          fc.constantFrom('byte', 'remove', 'repeat', 'swap', 'cut', 'line of another file'),
          fc.nat(),
          fc.nat(),
          async (file, kind, x, y) => {
            const lines = [...(files[file] ?? [])]
            const whole = textOf(lines)
            const at = x % lines.length
            const forged = (() => {
              if (kind === 'byte') {
                const bytes = Buffer.from(whole)
                bytes[x % bytes.length] = ((bytes[x % bytes.length] ?? 0) + 1 + (y % 255)) % 256
                return bytes
              }
              if (kind === 'remove') return textOf(lines.toSpliced(at, 1))
              if (kind === 'repeat') return textOf(lines.toSpliced(at, 0, lines[at] ?? ''))
              if (kind === 'swap')
                return textOf(lines.with(at, lines[y % lines.length] ?? '').with(y % lines.length, lines[at] ?? ''))
              if (kind === 'cut') return whole.slice(0, x % whole.length)
              const other = files[(file + 1) % 4] ?? []
              return textOf(lines.with(at, other[y % other.length] ?? ''))
            })()
            if (forged === whole) return
            if (await valid(forged)) throw new Error(`${kind} of file ${file} at ${x} is not found`)
          },
        ),
        { numRuns: runs(250) },
      )
    },
    limit(),
  )
})
