import { isDeepStrictEqual } from 'node:util'
import type { EventStore } from '#eventstore/event-store'
import { commandIdOf, readMetadata } from '#domain/kit/event-metadata'
import { accountDecider } from './account/account-commands.ts'
import { ledger } from './account/ledger-commands.ts'
import { campaign } from './campaign/campaign-commands.ts'
import { shapeOf, type Decider, type DomainEvent } from './handle.ts'
import { markOf, type Snapshots } from './snapshots.ts'

/** The deciders with snapshots. */
export const SNAPSHOT_DECIDERS = [accountDecider, campaign, ledger]

/** Events that are folded at once: a stream may be longer than the memory. */
const PAGE = 1000

type Deps = { readonly snapshots: Pick<Snapshots, 'find'>; readonly store: Pick<EventStore, 'readStream'> }

/** What the snapshot of a stream has that its events have not; empty for a stream without one. */
export async function faultsOfSnapshot(deps: Deps, stream: string): Promise<readonly string[]> {
  const faults = [
    await compare(deps, accountDecider, stream),
    await compare(deps, campaign, stream),
    await compare(deps, ledger, stream),
  ]
  return faults.filter((fault) => fault !== null)
}

async function compare<State, Event extends DomainEvent>(
  { snapshots, store }: Deps,
  { fold, numbered, snapshot }: Decider<State, Event>,
  stream: string,
): Promise<string | null> {
  if (snapshot === undefined || !stream.startsWith(`${snapshot.name}-`)) return null
  const found = await snapshots.find(stream, shapeOf(snapshot))
  if (found === null) return null
  let state = fold([])
  let newest: Partial<ReturnType<typeof readMetadata>> = {}
  const commands = new Set<string>()
  for (let version = 0; version < found.version;) {
    const page = await store.readStream(stream, version, Math.min(PAGE, found.version - version))
    const last = page.at(-1)
    if (last === undefined) return `the snapshot at version ${found.version} is of another log`
    state = fold(page, state)
    version = last.version
    newest = readMetadata(last.metadata)
    if (numbered !== true) for (const { metadata } of page) commands.add(markOf(commandIdOf(metadata)))
  }
  if (newest.hash !== found.hash) return `the snapshot at version ${found.version} is of another log`
  if (newest.at !== found.at || newest.revision !== found.revision || !isSameSet(commands, found.commands))
    return `the snapshot at version ${found.version} has another time, revision or commands than its events`
  // As the database keeps it.
  const folded: unknown = JSON.parse(JSON.stringify(state))
  return isDeepStrictEqual(folded, found.state) ? null : `the snapshot at version ${found.version} is not what its events say`
}

const isSameSet = (marks: ReadonlySet<string>, others: readonly string[]): boolean =>
  marks.size === new Set(others).size && others.every((mark) => marks.has(mark))
